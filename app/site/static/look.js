/* Applies the theme and the letter size that the reader chose, before the page is painted. The page itself is the same for all readers. */
(() => {
"use strict";
const first = {theme: "auto", size: "normal"};
const chosen = name => (document.cookie.match("(?:^|; )" + name + "=([a-z]+)") || [])[1] || first[name];
const look = () => { for (const name in first) { const value = chosen(name); if (value === first[name]) delete document.documentElement.dataset[name]; else document.documentElement.dataset[name] = value; } };
const mark = () => document.querySelectorAll("[data-look]").forEach(a => { const [name, value] = a.dataset.look.split("="); if (chosen(name) === value) a.setAttribute("aria-current", "true"); else a.removeAttribute("aria-current"); });
look();
addEventListener("DOMContentLoaded", mark);
addEventListener("pageshow", e => { if (e.persisted) { look(); mark(); } });
})();
