/** Lets the person switch between light and dark. The default is the theme of the system. */
export function followTheme(): void {
  const button = document.querySelector<HTMLButtonElement>('#theme');
  const isDark = (): boolean => document.documentElement.dataset['theme'] === 'dark';
  const show = (dark: boolean): void => {
    document.documentElement.dataset['theme'] = dark ? 'dark' : 'light';
    button?.setAttribute('aria-pressed', String(dark));
  };
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  show((localStorage.getItem('theme') ?? system) === 'dark');
  button?.addEventListener('click', () => {
    show(!isDark());
    localStorage.setItem('theme', isDark() ? 'dark' : 'light');
  });
}
