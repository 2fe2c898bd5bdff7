const body = document.querySelector('#list tbody');
const heads = [...document.querySelectorAll('#list th')];
const order = new Intl.Collator('en', { numeric: true });
heads.forEach((head, at) => head.addEventListener('click', () => {
  const down = head.getAttribute('aria-sort') === 'ascending';
  heads.forEach(other => other.removeAttribute('aria-sort'));
  head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
  const text = row => row.cells[at].textContent;
  const rows = [...body.rows].sort((a, b) => order.compare(text(a), text(b)));
  body.append(...(down ? rows.reverse() : rows));
}));
document.querySelector('#filter').addEventListener('input', event => {
  const words = event.target.value.toLowerCase().split(' ');
  for (const row of body.rows) {
    const text = row.textContent.toLowerCase();
    row.hidden = !words.every(word => text.includes(word));
  }
});
