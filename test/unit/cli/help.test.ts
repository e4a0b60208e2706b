import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { groups } from '#api/cli/groups.ts';

const run = promisify(execFile);

/** Runs `assay` with arguments. Returns its output, and the packages that it loaded. */
async function assay(...args: string[]): Promise<{ help: string; packages: Set<string> }> {
  const hook = `import { registerHooks } from 'node:module';
    registerHooks({ load(url, context, next) { process.stderr.write(url + '\\n'); return next(url, context); } });`;
  const program = [
    '--import',
    `data:text/javascript,${encodeURIComponent(hook)}`,
    'api/cli/main.ts',
    ...args,
  ];
  const { stdout, stderr } = await run(process.execPath, program);
  const packages = [...stderr.matchAll(/node_modules\/((?:@[^/]+\/)?[^/]+)/g)].map(([, name]) => name!);
  return { help: stdout, packages: new Set(packages) };
}

describe('the help of the command line', () => {
  it('lists every group without loading any of them', async () => {
    const { help, packages } = await assay('--help');
    expect([...packages]).to.deep.equal(['commander']);
    for (const name of Object.keys(groups)) expect(help).to.match(new RegExp(`^  ${name} `, 'm'));
  });

  it('is printed for every command without loading any package', async () => {
    const { help, packages } = await assay('backtest', 'run', '--help');
    expect([...packages]).to.deep.equal(['commander']);
    expect(help).to.match(/^Usage: assay backtest run \[options\] <file>$/m);
  });

  it('is the same for `help <group>` and `<group> --help`', async () => {
    const [one, other] = await Promise.all([assay('help', 'signing-key'), assay('signing-key', '--help')]);
    expect(one.help).to.equal(other.help).and.to.include(groups['signing-key']!.description);
  });
});
