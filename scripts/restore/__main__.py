"""The command line of the authoring tool; see the package's docstring."""
import argparse
from pathlib import Path


def propose(args):
    from .propose import propose as run, uncertain
    text, words = run(Path(args.source).read_text(encoding='utf-8'), args.editions)
    Path(args.restored).write_text(text, encoding='utf-8')
    rows = ['line\tcolumn\tsource\tchoice\talternatives\tmargin']
    rows += ['\t'.join(map(str, row)) for row in uncertain(words)]
    Path(args.uncertain).write_text('\n'.join(rows) + '\n', encoding='utf-8')
    print(f'{len(words)} words, {len(rows) - 1} uncertain')


def main():
    parser = argparse.ArgumentParser(prog='python -m scripts.restore', description=__doc__)
    commands = parser.add_subparsers(required=True)
    p = commands.add_parser('propose', help="the machine's reading of a source")
    for name in ('source', 'restored', 'uncertain'):
        p.add_argument(name)
    p.add_argument('--editions', default=Path(__file__).parents[2] / 'corpus' / 'editions')
    p.set_defaults(run=propose)
    args = parser.parse_args()
    args.run(args)


if __name__ == '__main__':
    main()
