import { px, svg } from './scale.ts';

/** Draws the used and the reserved share of a budget as one bar. The shares are between 0 and 1. */
export function bullet(used: number, reserved: number, width = 90): string {
  const first = Math.min(1, Math.max(0, used)) * width;
  const second = Math.min(width - first, Math.max(0, reserved) * width);
  return svg({ width, height: 8 }, [
    `<rect class="track" width="${width}" height="8" rx="1.5"/>`,
    `<rect class="value" width="${px(first)}" height="8" rx="1.5"/>`,
    `<rect class="held" x="${px(first)}" width="${px(second)}" height="8"/>`,
  ]);
}
