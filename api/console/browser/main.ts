import { drawCharts } from './charts.ts';
import { exportChart } from './export.ts';
import { addKeys, followDay, followTheme } from './controls.ts';
import { followRuns } from './live.ts';
import { followLink, followPasskeys } from './sign-in.ts';
import { speak } from './speak.ts';
import { checkPack, verify } from './verify.ts';

followTheme();
followLink();
followPasskeys();
document.querySelector('.side [aria-current]')?.scrollIntoView({ block: 'nearest' });
addKeys();
drawCharts();
followDay();
followRuns();
onClick('[data-check-pack]', (button) => void checkPack(button));
onClick('[data-verify]', (button) => void verify(button));
onClick('[data-export]', (button) => void exportChart(button.dataset['export'] ?? 'svg'));
onClick('[data-copy]', (button) => {
  void navigator.clipboard.writeText(button.dataset['copy'] ?? '').then(() => speak('Copied'));
});

function onClick(selector: string, act: (button: HTMLButtonElement) => void): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>(selector))
    button.addEventListener('click', () => act(button));
}
