/**
 * Returns the date of Easter Sunday in a Gregorian year, as month and day. Source: J. Meeus, "Astronomical Algorithms",
 * chapter 8 (the anonymous rule of Nature, 1876). Example: `easterSunday(2024)` is `[3, 31]`.
 */
export function easterSunday(year: number): [month: number, day: number] {
  const whole = (value: number, by: number) => Math.floor(value / by);
  const a = year % 19;
  const b = whole(year, 100);
  const c = year % 100;
  const e = b % 4;
  const g = whole(b - whole(b + 8, 25) + 1, 3);
  const h = (19 * a + b - whole(b, 4) - g + 15) % 30;
  const l = (32 + 2 * e + 2 * whole(c, 4) - h - (c % 4)) % 7;
  const m = whole(a + 11 * h + 22 * l, 451);
  const n = h + l - 7 * m + 114;
  return [whole(n, 31), (n % 31) + 1];
}
