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
