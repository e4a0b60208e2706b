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

/** Lets a slider choose the day of a form. The slider counts days since 1970, and the date field shows the day. */
export function followDay(): void {
  for (const slider of document.querySelectorAll<HTMLInputElement>('[data-day]')) {
    const field = slider.form?.elements.namedItem('as_of');
    if (!(field instanceof HTMLInputElement)) continue;
    const show = (): void => {
      field.value = new Date(Number(slider.value) * 86_400_000).toISOString().slice(0, 10);
      slider.setAttribute('aria-valuetext', field.value);
    };
    slider.hidden = false;
    slider.addEventListener('input', show);
    slider.addEventListener('change', () => slider.form?.requestSubmit());
    field.addEventListener('change', () => {
      slider.value = String(Math.floor(Date.parse(field.value) / 86_400_000));
    });
  }
}

/** Lets the person switch between light and dark. The default is the theme of the system. */
export function followTheme(): void {
  const button = document.querySelector<HTMLButtonElement>('#theme');
  const isDark = (): boolean => document.documentElement.dataset['theme'] === 'dark';
  const show = (dark: boolean): void => {
    document.documentElement.dataset['theme'] = dark ? 'dark' : 'light';
    if (button) button.textContent = dark ? 'Light' : 'Dark';
  };
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  show((localStorage.getItem('theme') ?? system) === 'dark');
  button?.addEventListener('click', () => {
    show(!isDark());
    localStorage.setItem('theme', isDark() ? 'dark' : 'light');
  });
}
