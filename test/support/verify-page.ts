import { readFileSync } from 'node:fs';
import { runInThisContext } from 'node:vm';
import type { FailureKind } from '#lib/trust/verify-pack.mjs';

export const VERIFY_PAGE = new URL('../../lib/trust/verify-pack.html', import.meta.url);

type Verify = (
  text: string,
  options?: { keys?: string | undefined; previous?: string | undefined },
) => Promise<{ ok: true; keys_checked: boolean } | { ok: false; kind: FailureKind; message: string }>;

/**
 * Returns the verifier that the page contains. Outside a browser the verifier finds no DOM and therefore
 * waits for no file.
 */
export function verifierOfPage(): Verify {
  const [, script] = /<script>([\s\S]*)<\/script>/.exec(readFileSync(VERIFY_PAGE, 'utf8'))!;
  return runInThisContext(`(() => {${script}; return verifyPack; })()`) as Verify;
}
