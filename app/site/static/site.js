/* What JavaScript adds to the pages. Every page works without it: nothing here is needed to read, to follow links or to search. */
(() => {
"use strict";
const $ = (s, e = document) => e.querySelector(s), $$ = (s, e = document) => [...e.querySelectorAll(s)];
const words = ($("#words") || {dataset: {}}).dataset;
const make = (tag, props = {}, ...kids) => { const e = Object.assign(document.createElement(tag), props); e.append(...kids); return e; };
const say = text => { const s = $("#says"); if (s) { s.textContent = ""; requestAnimationFrame(() => s.textContent = text); } };
const typing = e => /^(INPUT|TEXTAREA|SELECT)$/.test(e.target.tagName) || e.target.isContentEditable;

/* The requested provision begins at the top of the window, however long it is. */
const current = $("[aria-current=true][data-id]");
if (current && !current.matches(".top")) { const show = () => current.scrollIntoView({block: "start"}); if (!location.hash || location.hash === "#" + current.id) { show(); addEventListener("load", show, {once: true}); } }

/* A chosen language is remembered, for addresses that name none. The link itself only leads there. */
document.addEventListener("click", e => {
  const a = e.target.closest && e.target.closest(".tongues a");
  if (a) navigator.sendBeacon("/settings", new URLSearchParams({ui: a.hreflang}));
});

/* The code of laws that rules this page: that of the address, else the one that the reader chose. A choice is kept here, too, and told again where the cookie is gone. */
const keep = (name, value) => { try { if (value) localStorage.setItem(name, value); return localStorage.getItem(name) || ""; } catch { return ""; } };
const told = (document.cookie.match(/(?:^|; )code=(\w+)/) || [])[1] || "";
const code = () => new URLSearchParams(location.search).get("code") || told || keep("code");
if (!told && keep("code")) navigator.sendBeacon("/settings", new URLSearchParams({code: keep("code")}));
$$(".code-switch button").forEach(b => b.addEventListener("click", () => keep("code", b.value)));

/* Search from anywhere: / or Ctrl-K. */
const field = $("#q");
addEventListener("keydown", e => {
  if (field && ((e.key === "/" && !typing(e)) || (e.key.toLowerCase() === "k" && (e.ctrlKey || e.metaKey)))) { e.preventDefault(); field.focus(); field.select(); field.scrollIntoView({block: "nearest"}); }
});

/* Suggestions while typing: a combobox with a list box. */
if (field) {
  const list = make("ul", {className: "listbox", id: "suggestions", hidden: true}); list.setAttribute("role", "listbox"); list.setAttribute("aria-label", field.labels[0] ? field.labels[0].textContent : "");
  field.parentElement.append(list);
  for (const [k, v] of Object.entries({role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": "suggestions"})) field.setAttribute(k, v);
  let at = -1, rows = [], timer, asked = 0;
  const close = () => { list.hidden = true; at = -1; field.setAttribute("aria-expanded", "false"); field.removeAttribute("aria-activedescendant"); };
  const choose = i => {
    at = i; $$("li", list).forEach((li, n) => li.setAttribute("aria-selected", n === i));
    if (i < 0) field.removeAttribute("aria-activedescendant"); else { field.setAttribute("aria-activedescendant", "s" + i); $("#s" + i).scrollIntoView({block: "nearest"}); }
  };
  const ask = async () => {
    const q = field.value.trim(), turn = ++asked;
    if (!q) return close();
    try {
      const r = await fetch("/api/v1/suggest?q=" + encodeURIComponent(q.slice(0, 500)) + `&lang=${words.lang}&ui=${words.lang}${code() ? "&code=" + code() : ""}`);
      if (!r.ok || turn !== asked) return;
      rows = (await r.json()).suggestions;
    } catch { return; }
    list.replaceChildren(...rows.map((s, i) => { const li = make("li", {id: "s" + i}, s.text); li.setAttribute("role", "option"); li.setAttribute("aria-selected", "false"); li.onmousedown = e => { e.preventDefault(); location.href = s.url; }; return li; }));
    at = -1; list.hidden = !rows.length; field.setAttribute("aria-expanded", String(!!rows.length));
    if (rows.length) say(words.few + ": " + rows.length);
  };
  field.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(ask, 120); });
  field.addEventListener("blur", () => setTimeout(close, 150));
  field.addEventListener("keydown", e => {
    if (e.key === "Escape") { if (!list.hidden) e.preventDefault(); close(); }
    else if (e.key === "ArrowDown" && list.hidden) { ask(); e.preventDefault(); }
    else if ((e.key === "ArrowDown" || e.key === "ArrowUp") && rows.length) { e.preventDefault(); const n = rows.length + 1; choose((at + 1 + (e.key === "ArrowDown" ? 1 : n - 1)) % n - 1); }
    else if (e.key === "Enter" && at >= 0 && !list.hidden) { e.preventDefault(); location.href = rows[at].url; }
  });
}

/* A question may be spoken where the browser can write down speech and there is a network. It starts by the button alone; before the first time the reader is asked. */
const Recognition = window.SpeechRecognition || window.webkitSpeechRecognition;
if (Recognition) $$(".find input[name=q]").forEach(field => {
  const button = make("button", {type: "button", className: "voice", title: words.speak}), note = make("p", {className: "hint voice-note", hidden: true});
  button.setAttribute("aria-label", words.speak); button.setAttribute("aria-pressed", "false"); note.setAttribute("role", "status");
  button.innerHTML = '<svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true"><path d="M12 3a3 3 0 0 1 3 3v6a3 3 0 0 1-6 0V6a3 3 0 0 1 3-3zM6 11v1a6 6 0 0 0 12 0v-1M12 18v3" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round"/></svg>';
  field.after(button); (field.closest(".line") || field.form).after(note);
  const tell = text => { note.textContent = text; note.hidden = !text; };
  const online = () => { button.hidden = !navigator.onLine; };
  online(); addEventListener("online", online); addEventListener("offline", online);
  let heard = null;
  const listen = () => {
    heard = new Recognition();
    Object.assign(heard, {lang: spokenIn(words.lang), interimResults: true, maxAlternatives: 1});
    heard.onresult = e => { field.value = [...e.results].map(r => r[0].transcript).join(" ").trim().slice(0, field.maxLength); };
    heard.onerror = e => tell({"not-allowed": words.voiceDenied, "service-not-allowed": words.voiceDenied, aborted: ""}[e.error] ?? words.voiceFailed);
    heard.onend = () => { heard = null; button.setAttribute("aria-pressed", "false"); if (note.textContent === words.listening) tell(""); field.focus(); field.dispatchEvent(new Event("input", {bubbles: true})); };
    try { heard.start(); } catch { heard = null; return tell(words.voiceFailed); }
    button.setAttribute("aria-pressed", "true"); tell(words.listening);
  };
  button.onclick = () => {
    if (heard) return heard.stop();
    if (keep("voice")) return listen();
    const yes = make("button", {type: "button", textContent: words.voiceYes}), no = make("button", {type: "button", textContent: words.close});
    const d = make("dialog", {className: "cite ask-voice"}, make("p", {textContent: words.voiceAsk}), make("p", {className: "tools"}, yes, " ", no));
    d.setAttribute("aria-label", words.speak); document.body.append(d);
    d.addEventListener("close", () => { d.remove(); button.focus(); });
    no.onclick = () => d.close();
    yes.onclick = () => { keep("voice", "yes"); d.close(); listen(); };
    d.showModal();
  };
});
/* The language of the site with its most likely country, as recognizers name it: “pl-PL”. */
function spokenIn(lang) { const whole = new Intl.Locale(lang).maximize(); return `${whole.language}-${whole.region}`; }

/* A reference or a mark shows a preview of its target: on hover, on focus, on the first tap. */
let pop = null, over = null, wait, touched = false;
const kept = new Map();
const hide = () => { if (pop) { pop.remove(); pop = null; over && over.removeAttribute("aria-describedby"); over = null; } };
const piece = async id => {
  if (!kept.has(id)) { const r = await fetch(`/peek/${id.split("/").map(encodeURIComponent).join("/")}?ui=${words.lang}`); if (!r.ok) throw r.status; kept.set(id, await r.text()); }
  return kept.get(id);
};
const show = async a => {
  if (over === a) return;
  hide(); over = a;
  const ids = (a.dataset.more || a.dataset.to).split(" "), most = 4;
  let html;
  try { html = await Promise.all(ids.slice(0, most).map(piece)); } catch { over = null; return; }
  if (over !== a) return;
  pop = make("div", {className: "pop", id: "pop"}); pop.setAttribute("role", "group"); pop.setAttribute("aria-label", a.textContent);
  const shut = make("button", {type: "button", className: "still", textContent: "×"}); shut.setAttribute("aria-label", words.close); shut.onclick = () => { const back = over; hide(); back && back.focus(); };
  pop.append(shut);
  html.forEach(h => pop.insertAdjacentHTML("beforeend", h));
  if (ids.length > most) pop.append(make("p", {className: "name", textContent: "… + " + (ids.length - most)}));
  const ways = make("p", {className: "tools"}, make("a", {href: a.href, textContent: words.go}));
  if (a.dataset.term) ways.append(" ", make("a", {href: a.dataset.term, textContent: words.term}));
  pop.append(ways);
  ($("main") || document.body).append(pop);
  a.setAttribute("aria-describedby", "pop");
  const r = a.getBoundingClientRect(), w = pop.offsetWidth, h = pop.offsetHeight;
  const below = r.bottom + h + 8 < innerHeight || r.top < h + 8;
  pop.style.left = Math.max(6, Math.min(r.left, document.documentElement.clientWidth - w - 6)) + scrollX + "px";
  pop.style.top = (below ? r.bottom + 6 : r.top - h - 6) + scrollY + "px";
  pop.addEventListener("mouseenter", () => clearTimeout(wait)); pop.addEventListener("mouseleave", later);
};
const later = () => { clearTimeout(wait); wait = setTimeout(() => { if (!pop || !pop.contains(document.activeElement)) hide(); }, 350); };
const link = e => e.target.closest && e.target.closest("article a[data-to], .laws-side a[data-to]");
addEventListener("pointerdown", e => { touched = e.pointerType === "touch"; if (pop && !pop.contains(e.target) && link(e) !== over) hide(); });
document.addEventListener("mouseover", e => { const a = link(e); if (a && !touched) { clearTimeout(wait); wait = setTimeout(() => show(a), 220); } });
document.addEventListener("mouseout", e => { if (link(e)) later(); });
document.addEventListener("focusin", e => { const a = link(e); if (a && !touched) { clearTimeout(wait); show(a); } else if (pop && !pop.contains(e.target) && e.target !== over) hide(); });
document.addEventListener("click", e => { const a = link(e); if (a && touched && over !== a) { e.preventDefault(); show(a); } });
addEventListener("keydown", e => { if (e.key === "Escape" && pop) { const back = pop.contains(document.activeElement) && over; hide(); back && back.focus(); } });

/* Citations open in a dialog, without leaving the page. */
const copy = async (text, button) => {
  try { await navigator.clipboard.writeText(text); }
  catch { const t = make("textarea", {value: text}); (button.closest("dialog") || document.body).append(t); t.select(); document.execCommand("copy"); t.remove(); }
  button.textContent = words.copied; say(words.copied); setTimeout(() => button.textContent = words.copy, 1500);
};
const copying = root => $$("blockquote[data-copy], code[data-copy]", root).forEach(b => { const t = b.textContent; const k = make("button", {type: "button", className: "still", textContent: words.copy}); k.onclick = () => copy(t, k); b.after(k); });
copying(document);
document.addEventListener("click", async e => {
  const a = e.target.closest("a[data-cite]");
  if (!a || e.ctrlKey || e.metaKey || e.shiftKey || !window.HTMLDialogElement) return;
  e.preventDefault();
  let html;
  try { const r = await fetch(a.href + "&piece=1"); if (!r.ok) throw 0; html = await r.text(); } catch { location.href = a.href; return; }
  const d = make("dialog", {className: "cite"}); d.setAttribute("aria-label", words.cite);
  const shut = make("button", {type: "button", textContent: words.close}); shut.onclick = () => d.close();
  d.innerHTML = html; d.prepend(shut); copying(d); document.body.append(d);
  d.addEventListener("close", () => { d.remove(); a.focus(); }); d.showModal();
});

/* Kept and recent laws are stored on this device only. */
const store = (k, v) => { try { if (v === undefined) return JSON.parse(localStorage.getItem(k) || "[]"); localStorage.setItem(k, JSON.stringify(v)); } catch { return []; } };
const law = document.body.dataset.law;
if (law) {
  const me = {id: law, name: document.body.dataset.name};
  store("recent", [me, ...store("recent").filter(x => x.id !== law)].slice(0, 12));
  const b = $("[data-keep]");
  if (b) {
    const draw = () => { const on = store("kept").some(x => x.id === law); b.setAttribute("aria-pressed", on); b.textContent = (on ? "★ " : "☆ ") + words.keep; };
    b.hidden = false; draw();
    b.onclick = () => { const all = store("kept"), on = all.some(x => x.id === law); store("kept", on ? all.filter(x => x.id !== law) : [me, ...all].slice(0, 60)); draw(); if (!on) say(words.kept); };
  }
}
const shelf = $("#kept");
if (shelf) {
  const fill = (ul, rows, sign) => ul.replaceChildren(...rows.filter(x => x && /^[\w-]+\/[\w/-]+$/.test(x.id)).map(x => make("li", {}, sign, make("a", {href: `/${x.id}?ui=${words.lang}`, textContent: x.name}))));
  const kept = store("kept"), recent = store("recent").filter(x => !kept.some(y => y.id === x.id));
  fill($("[data-kept]", shelf), kept, "★ "); fill($("[data-recent]", shelf), recent, "");
  shelf.hidden = !(kept.length + recent.length);
}

/* The outline marks the provision that is in view. */
const lines = new Map($$(".outline a").map(a => [a.hash.slice(1), a]));
if (lines.size && window.IntersectionObserver) {
  const seen = new IntersectionObserver(es => es.forEach(e => { const a = lines.get(e.target.id); if (a) { a.classList.toggle("now", e.isIntersecting); } }), {rootMargin: "-10% 0px -75% 0px"});
  lines.forEach((a, id) => { const e = document.getElementById(id); if (e) seen.observe(e); });
}

/* A ruling is sent by the share sheet of the device; where there is none its address is copied, and that is said. */
const send = $("[data-send]");
if (send) {
  const address = location.href.split("#")[0];
  send.hidden = false;
  send.onclick = async () => {
    try {
      if (navigator.share) return await navigator.share({title: document.title, url: address});
      await navigator.clipboard.writeText(address); say(words.copied); send.textContent = words.copied;
    } catch { /* the reader closed the sheet */ }
  };
}

/* The screen stays on while the players read, where the device allows it. */
if ($("[data-awake]") && navigator.wakeLock) {
  const stay = () => { if (document.visibilityState === "visible") navigator.wakeLock.request("screen").catch(() => {}); };
  stay(); document.addEventListener("visibilitychange", stay);
}

/* After an answer the ruling gets the focus, so that it is read out. */
const ruled = $("section.remedy[data-outcome]");
if (ruled && location.hash === "#now") ruled.focus({preventScroll: false});

/* A button that prints columns and cards. */
const print = $("[data-print]");
if (print) { print.hidden = false; print.onclick = () => window.print(); }
})();
