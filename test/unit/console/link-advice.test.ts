import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { linkAdvice } from '#api/console/sign-in/oidc-routes.ts';

/** Returns the words that a shell makes of the printed command, after `npm run assay --`. */
function wordsOf(issuer: string, subject: string): string[] {
  const [, escaped = ''] = /<code>npm run assay -- (.*)<\/code>/s.exec(
    linkAdvice({ issuer, subject }).markup,
  )!;
  const texts: Readonly<Record<string, string>> = { '&#39;': "'", '&quot;': '"', '&lt;': '<', '&gt;': '>' };
  const command = escaped
    .replaceAll(/&(?:#39|quot|lt|gt);/g, (escape) => texts[escape]!)
    .replaceAll('&amp;', '&');
  return execFileSync('bash', ['-c', `printf '%s\\n' ${command}`], { encoding: 'utf8' })
    .trimEnd()
    .split('\n');
}

describe('the command that links an account to a person', () => {
  it('passes the issuer and the subject on as they are, whatever a shell would make of them', () => {
    const issuer = 'https://login.acme.example/?tenant=1&realm=a;b';
    for (const subject of ['248289761001', "a|b'c", '$(echo expanded)', '`echo expanded` > x', '"; echo *'])
      expect(wordsOf(issuer, subject)).to.deep.equal([
        'person',
        'identity',
        'add',
        'per_…',
        '--issuer',
        issuer,
        '--subject',
        subject,
      ]);
  });
});
