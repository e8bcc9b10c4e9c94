"use strict";
(() => {
  const card = document.getElementById("card");
  let shown = null, timer = 0;
  const show = (span) => {
    clearTimeout(timer);
    const explanation = document.getElementById(span.dataset.e);
    if (!explanation || shown === span) return;
    shown = span;
    card.replaceChildren(explanation.content.cloneNode(true));
    card.hidden = false;
    const at = span.getClientRects()[0], width = document.documentElement.clientWidth;
    const left = Math.max(8, Math.min(at.left, width - card.offsetWidth - 8));
    const below = at.bottom + card.offsetHeight + 12 < innerHeight || at.top < card.offsetHeight + 12;
    card.style.left = `${left + scrollX}px`;
    card.style.top = `${scrollY + (below ? at.bottom + 6 : at.top - card.offsetHeight - 6)}px`;
  };
  const hide = () => { timer = setTimeout(() => { card.hidden = true; shown = null; }, 180); };
  document.addEventListener("mouseover", (event) => {
    const span = event.target.closest("[data-e]");
    if (span) show(span); else if (card.contains(event.target)) clearTimeout(timer); else if (shown) hide();
  });
  document.addEventListener("focusin", (event) => { if (event.target.dataset.e) show(event.target); });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") { card.hidden = true; shown = null; } });
  for (const svg of document.querySelectorAll(".graph svg")) {
    svg.addEventListener("mouseover", (event) => {
      const at = event.target.closest(".function, .edge");
      for (const of of svg.querySelectorAll(".on")) of.classList.remove("on");
      svg.classList.toggle("focus", Boolean(at));
      if (!at) return;
      at.classList.add("on");
      const functions = new Set(at.dataset.f ? [at.dataset.f] : [at.dataset.from, at.dataset.to]);
      for (const edge of svg.querySelectorAll(".edge")) {
        const { from, to } = edge.dataset;
        if (edge === at || (at.dataset.f && (from === at.dataset.f || to === at.dataset.f))) {
          edge.classList.add("on");
          functions.add(from).add(to);
        }
      }
      for (const of of svg.querySelectorAll(".function")) if (functions.has(of.dataset.f)) of.classList.add("on");
    });
    svg.addEventListener("mouseleave", () => svg.classList.remove("focus"));
  }
})();
