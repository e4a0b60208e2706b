/**
 * Returns the page of the console to show after sign-in: the requested page, or the overview if the text is not the
 * address of a page of the console. The result never leads to another site.
 */
export function pageAfterSignIn(requested: string | undefined): string {
  const overview = '/console';
  if (requested === undefined || requested.length > 1_000 || !/^\/console(?:[/?]|$)/.test(requested))
    return overview;
  // Browsers read a backslash as a slash and leave out tabs and line breaks.
  if (/[^\x21-\x7e]|\\/.test(requested)) return overview;
  const { origin, pathname, search } = new URL(requested, 'https://console.invalid');
  const isPage = pathname === overview || pathname.startsWith(`${overview}/`);
  const isOwn = origin === 'https://console.invalid' && !pathname.startsWith(`${overview}/sign-`);
  return isPage && isOwn ? `${pathname}${search}` : overview;
}
