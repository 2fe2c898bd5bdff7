'use strict';
// Pages work without this. With it they change by themselves, a line can be stepped through with the
// keyboard, and a sweep is checked as it is typed.
const beat = document.querySelector('#beat');
const live = document.body.dataset.live;
if (live && window.EventSource) {
  const source = new EventSource(live);
  source.onmessage = event => {
    const parts = JSON.parse(event.data);
    for (const [id, html] of Object.entries(parts)) {
      const old = document.getElementById(id);
      // Whoever is inside a part keeps it until they leave it.
      if (!old || old.contains(document.activeElement)) continue;
      const holder = document.createElement('template');
      holder.innerHTML = html;
      const fresh = holder.content.firstElementChild;
      if (fresh && fresh.outerHTML !== old.outerHTML) old.replaceWith(fresh);
    }
    beat.textContent = 'live, ' + new Date().toLocaleTimeString();
  };
  source.addEventListener('end', () => { source.close(); location.reload(); });
  source.onerror = () => { beat.textContent = 'the coordinator does not answer; trying again …'; };
  window.addEventListener('pagehide', () => source.close());
}

const steps = document.querySelector('#line');
if (steps) {
  const seen = new Map();
  let asked = 0;
  const fetchStep = step => {
    if (!seen.has(step)) {
      const address = new URL(location.href);
      address.hash = '';
      address.searchParams.set('step', step);
      address.searchParams.set('part', 'line');
      seen.set(step, fetch(address, { credentials: 'same-origin' }).then(reply => {
        if (!reply.ok) throw new Error(reply.status);
        return reply.text();
      }));
      seen.get(step).catch(() => seen.delete(step));
    }
    return seen.get(step);
  };
  const go = async (step, focus) => {
    const turn = ++asked;
    const html = await fetchStep(step);
    if (turn !== asked) return;
    const holder = document.createElement('template');
    holder.innerHTML = html;
    const fresh = holder.content.firstElementChild;
    const list = document.querySelector('#line ol.moves');
    const top = list ? list.scrollTop : 0;
    document.querySelector('#line').replaceWith(fresh);
    const now = fresh.querySelector('ol.moves');
    if (now) now.scrollTop = top;
    const current = fresh.querySelector('ol.moves [aria-current]');
    if (current && now) {
      const [from, to] = [now.getBoundingClientRect(), current.getBoundingClientRect()];
      if (to.top < from.top || to.bottom > from.bottom) now.scrollTop += to.top - from.top - 40;
    }
    const label = focus && fresh.querySelector(`[aria-label="${focus}"]`);
    if (label) label.focus();
    const address = new URL(location.href);
    address.searchParams.set('step', step);
    history.replaceState(null, '', address);
  };
  document.addEventListener('click', event => {
    const link = event.target.closest && event.target.closest('#line [data-step]');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(Number(link.dataset.step), link.getAttribute('aria-label'));
  });
  document.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest && event.target.closest('input, textarea, select')) return;
    const names = { ArrowLeft: 'One move back', ArrowRight: 'One move on', Home: 'First position', End: 'Last position' };
    const name = names[event.key];
    const link = name && document.querySelector(`#line [aria-label="${name}"]`);
    if (!link) return;
    event.preventDefault();
    go(Number(link.dataset.step), null);
  });
}

const sweep = document.querySelector('#submit textarea');
if (sweep) {
  let timer = 0;
  let asked = 0;
  const look = async () => {
    const turn = ++asked;
    const form = new URLSearchParams(new FormData(sweep.form));
    const reply = await fetch('/submit/check?part=check', { method: 'POST', body: form, credentials: 'same-origin' });
    if (!reply.ok || turn !== asked) return;
    const holder = document.createElement('template');
    holder.innerHTML = await reply.text();
    document.querySelector('#check').replaceWith(holder.content.firstElementChild);
  };
  sweep.addEventListener('input', () => { clearTimeout(timer); timer = setTimeout(look, 300); });
  if (sweep.value) look();
}
