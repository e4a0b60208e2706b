const SEASON = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8];

/** Returns the value of a month of a monthly series with a trend, a season and a disturbance that repeats. */
export function monthlyValue(place: number, month: number): number {
  return (
    1_000 + (7 + (place % 5)) * month + 40 * SEASON[(month + place) % 12]! + ((month * (37 + place)) % 23)
  );
}
