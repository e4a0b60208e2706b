/** Adds the keys of every page: `/` goes to the search field, `j` and `k` move between the rows of a table. */
export function addKeys(): void {
  addEventListener('keydown', (event) => {
    const { target, key, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey || !(target instanceof Element)) return;
    if (target.matches('input, textarea, select')) return;
    if (key === '/') {
      event.preventDefault();
      document.querySelector<HTMLInputElement>('#find')?.focus();
    }
    if (key === 'j' || key === 'k') moveRow(key === 'j' ? 1 : -1);
  });
}

function moveRow(step: number): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('tbody th a')];
  const current = links.indexOf(document.activeElement as HTMLAnchorElement);
  links[Math.max(0, Math.min(links.length - 1, current + step))]?.focus();
}
