import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { Client } from 'pg';
import { systemClock } from '#lib/core/clock.ts';
import { ArchiveWriter, readArchive, type Member } from '#lib/database/backup/archive.ts';
import { backUp, sha256 } from '#lib/database/backup/back-up.ts';
import { checkBackup } from '#lib/database/backup/check.ts';
import { MANIFEST, type Manifest } from '#lib/database/backup/manifest.ts';
import { migrate } from '#lib/database/migrate.ts';
import { inPlatform, openOrm } from '#lib/database/orm.ts';
import { roleUrl } from '#lib/database/roles.ts';
import { createWorkspace } from '#lib/access/provision.ts';
import { testCluster } from '../../support/backends.ts';
import { assay } from '../../support/cli.ts';

const DATABASE = 'assay_test_backup';

type Edit = (members: Member[], manifest: Manifest) => void;

/** Returns the tables of a backup without the record of trials, to which every restore adds a row. */
function withoutTrials({ tables }: Pick<Manifest, 'tables'>): Manifest['tables'] {
  return tables.filter(({ name }) => name !== 'restore_trial');
}

describe('a backup file', function () {
  let folder: string;
  let ownerUrl: string;
  let url: string;
  let good: string;
  let damaged: string;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'assay-backup-'));
    ownerUrl = await (await testCluster()).freshDatabase(DATABASE);
    url = (await testCluster()).superuserUrl(DATABASE);
    await createWorkspaces('Ann', 'Ben');
    good = path.join(folder, 'good.tar.gz');
    damaged = path.join(folder, 'damaged.tar.gz');
    await backUp(url, good, { clock: systemClock });
    await createWorkspaces('Cid'); // after this, a restore would change the data
  });

  after(() => rm(folder, { recursive: true }));

  async function createWorkspaces(...names: string[]): Promise<void> {
    const orm = openOrm(roleUrl(ownerUrl, 'operator'), 1);
    await inPlatform(orm, async (em) => {
      for (const name of names) createWorkspace(em, { name, now: systemClock.now() });
    });
    await orm.close();
  }

  async function contentOf(): Promise<unknown> {
    const file = path.join(folder, 'now.tar.gz');
    const { tables, migrations } = await backUp(url, file, { clock: systemClock, force: true });
    return { tables: withoutTrials({ tables }), migrations };
  }

  /** Writes a copy of the valid backup with changes. */
  async function rewrite(edit: Edit): Promise<void> {
    const members: Member[] = [];
    for await (const member of readArchive(good)) members.push(member);
    const manifest = JSON.parse(members.pop()!.content.toString()) as Manifest;
    edit(members, manifest);
    const archive = new ArchiveWriter(damaged, { force: true });
    for (const member of members) await archive.add(member, systemClock.now());
    await archive.add({ name: MANIFEST, content: Buffer.from(JSON.stringify(manifest)) }, systemClock.now());
    await archive.finish();
  }

  /** Replaces the content of a table in the backup, and writes the matching hash and row count. */
  function forge(table: string, change: (text: string) => string, rows: number): Edit {
    return (members, manifest) => {
      const member = members.find(({ name }) => name.startsWith(`${table}/`))!;
      member.content = Buffer.from(change(member.content.toString()));
      const record = manifest.tables.find(({ name }) => name === table)!;
      record.rows = rows;
      Object.assign(record.members[0]!, { bytes: member.content.length, sha256: sha256(member.content) });
    };
  }

  async function expectRefusal(code: RegExp): Promise<void> {
    const before = await contentOf();
    const { status, stderr } = await assay({ ownerUrl: url }, 'restore', damaged, '--replace');
    expect(stderr).to.match(code);
    expect(status).to.equal(1);
    expect(await contentOf()).to.deep.equal(before);
  }

  it('is rejected if it is truncated or if any of its bytes has changed', async () => {
    const bytes = await readFile(good);
    for (const length of [0, 10, bytes.length >> 1, bytes.length - 1]) {
      await writeFile(damaged, bytes.subarray(0, length));
      await expectCheck(/^backup_damaged$/);
    }
    for (let at = 20; at < bytes.length; at += Math.ceil(bytes.length / 40)) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 0x10;
      if (isSame(changed, bytes)) continue; // a bit that the compression does not use
      await writeFile(damaged, changed);
      await expectCheck(/^backup_(damaged|foreign)$/);
    }
    await writeFile(damaged, bytes.subarray(0, bytes.length >> 1));
    await expectRefusal(/^backup_damaged: /m);
  });

  function isSame(changed: Buffer, bytes: Buffer): boolean {
    try {
      return gunzipSync(changed).equals(gunzipSync(bytes));
    } catch {
      return false;
    }
  }

  async function expectCheck(code: RegExp): Promise<void> {
    const refusal = await checkBackup(damaged).then(
      () => 'taken',
      (error: { code: string }) => error.code,
    );
    expect(refusal).to.match(code);
  }

  const edits: [string, RegExp, Edit][] = [
    [
      'a member has other content',
      /^backup_damaged: workspace/m,
      (members) => {
        const member = members.find(({ name }) => name.startsWith('workspace/'))!;
        member.content = Buffer.from(member.content.toString().replace('Ann', 'Eve'));
      },
    ],
    ['a member is missing', /^backup_damaged: /m, (members) => void members.pop()],
    [
      'there is a member that the manifest does not list',
      /^backup_damaged: x is not in the manifest/m,
      (members) => void members.push({ name: 'x', content: Buffer.from('x') }),
    ],
    ['members are in another order', /^backup_damaged: /m, (members) => void members.reverse()],
    [
      'a table has fewer rows than the manifest states',
      /^backup_damaged: workspace has 2 rows, not 3/m,
      forge('workspace', (text) => text, 3),
    ],
    ['a table contains a row twice', /duplicate key/, forge('workspace', (text) => text + text, 4)],
    [
      'a row violates a constraint of the database',
      /check constraint/,
      forge('workspace', (text) => text.replace('standard', 'golden'), 2),
    ],
    [
      'a table of its migrations is missing in the manifest',
      /^backup_damaged: the tables/m,
      (_, manifest) => {
        manifest.tables = manifest.tables.filter(({ name }) => name !== 'dispatch');
      },
    ],
    [
      'a table name in the manifest is not an identifier',
      /^backup_damaged: manifest.json/m,
      (_, manifest) => {
        manifest.tables[0]!.name = `x from program 'id' --`;
      },
    ],
    [
      'the manifest names an unknown migration',
      /^backup_newer: /m,
      (_, manifest) => {
        manifest.migrations.push('9999-later');
      },
    ],
    [
      'the manifest has a later format version',
      /^backup_newer: /m,
      (_, manifest) => {
        Object.assign(manifest, { format_version: 2, tables: 'elsewhere' });
      },
    ],
    [
      'its migrations are not a prefix of the known migrations',
      /^backup_damaged: the migrations/m,
      (_, manifest) => {
        manifest.migrations.push(manifest.migrations[0]!);
      },
    ],
    [
      'it was written by a development version',
      /^backup_older: .* cannot be upgraded/m,
      (_, manifest) => {
        manifest.migrations = ['2026-11-21-foundation'];
      },
    ],
    [
      'the manifest states another format',
      /^backup_foreign: /m,
      (_, manifest) => {
        Object.assign(manifest, { format: 'other' });
      },
    ],
  ];
  for (const [what, code, edit] of edits) {
    it(`is rejected without a change of the database if ${what}`, async () => {
      await rewrite(edit);
      await expectRefusal(code);
    });
  }

  it('is rejected if the file does not exist', async () => {
    const { stderr } = await assay({ ownerUrl: url }, 'restore', path.join(folder, 'none.tar.gz'));
    expect(stderr).to.match(/^file_unreadable: /m);
  });

  it('is not left as a partial file if it cannot be written', async () => {
    const file = path.join(folder, 'no/such/folder/b.tar.gz');
    expect((await assay({ ownerUrl: url }, 'backup', file)).stderr).to.contain('ENOENT');
  });

  it('is neither created nor restored by a user from whom row-level security hides rows', async () => {
    const file = path.join(folder, 'less.tar.gz');
    expect((await assay({ ownerUrl }, 'backup', file)).stderr).to.match(
      /^row_security: .*docs\/operate\/backup\.md/m,
    );
    expect((await assay({ ownerUrl }, 'restore', good, '--replace')).stderr).to.match(
      /^row_security: .*docs\/operate\/backup\.md/m,
    );
  });

  it('is restored by a superuser of DATABASE_URL if the backup is unchanged', async () => {
    const { status, stderr } = await assay({ ownerUrl: url }, 'restore', good, '--replace');
    expect(status, stderr).to.equal(0);
    expect(await contentOf()).to.deep.include({ tables: withoutTrials(await checkBackup(good)) });
    await migrate(ownerUrl); // resets the passwords of the roles to those of `ownerUrl`
    await createWorkspaces('Dee');
  });

  it('is restored by a rehearsal into a database of its own, and each rehearsal is recorded', async () => {
    const before = await contentOf();
    const rehearsed = await assay({ ownerUrl: url }, 'restore', good, '--rehearse', '--json');
    expect(rehearsed.status, rehearsed.stderr).to.equal(0);
    expect(rehearsed.json).to.include({ kind: 'rehearsal' });
    expect(await contentOf()).to.deep.equal(before);
    const client = new Client({ connectionString: url });
    await client.connect();
    const { rows } = await client
      .query(
        `select kind, code, exists (select from pg_database where datname = $1) as there
         from restore_trial order by id desc limit 2`,
        [`${DATABASE}_rehearsal`],
      )
      .finally(() => client.end());
    expect(rows[0]).to.deep.equal({ kind: 'rehearsal', code: null, there: false });
    expect(rows[1]).to.deep.equal({ kind: 'restore', code: null, there: false });
  });
});
