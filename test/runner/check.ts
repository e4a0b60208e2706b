import { startChecks } from './checks.ts';

const checks = await startChecks().done;
for (const { text } of checks) process.stderr.write(text);
process.exitCode = checks.every(({ isGood }) => isGood) ? 0 : 1;
