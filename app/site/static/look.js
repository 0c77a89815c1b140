/* Applies the theme and the letter size that the reader chose, before the page is painted. The page itself is the same for all readers. */
(() => {
"use strict";
const first = {theme: "auto", size: "normal"};
const chosen = name => (document.cookie.match("(?:^|; )" + name + "=([a-z0-9]+)") || [])[1] || first[name];
const look = () => { for (const name in first) { const value = chosen(name); if (value === first[name]) delete document.documentElement.dataset[name]; else document.documentElement.dataset[name] = value; } };
/* Where nothing was chosen, the first of the buttons holds. */
const mark = () => document.querySelectorAll("[data-look]").forEach(a => { const [name, value] = a.dataset.look.split("="); if (chosen(name) ? chosen(name) === value : a === a.parentElement.querySelector("[data-look]")) a.setAttribute("aria-current", "true"); else a.removeAttribute("aria-current"); });
look();
addEventListener("DOMContentLoaded", mark);
addEventListener("pageshow", e => { if (e.persisted) { look(); mark(); } });
})();
