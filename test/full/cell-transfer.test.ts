import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { Client } from 'pg';
import { decrypt, encrypt } from '#lib/core/encryption.ts';
import { openEnvelope } from '#lib/core/envelope-encryption.ts';
import { systemClock } from '#lib/core/clock.ts';
import { readArchive, ArchiveWriter, type Member } from '#lib/database/backup/archive.ts';
import { sha256 } from '#lib/database/backup/back-up.ts';
import { inPlatform, inTenant } from '#lib/database/orm.ts';
import { NUMBERS_PER_CELL } from '#lib/database/number-range.ts';
import { codeAt } from '#lib/access/one-time-code.ts';
import { unnamed } from '#lib/audit/entry.ts';
import { leafHash } from '#lib/audit/merkle.ts';
import { verifyLog } from '#lib/audit/log.query.ts';
import { exportWorkspace } from '#lib/cells/export-workspace.ts';
import { importWorkspace } from '#lib/cells/import-workspace.ts';
import { authenticated, MANIFEST, type Manifest, type SharedRow } from '#lib/cells/manifest.ts';
import type { PlannedTable } from '#lib/cells/plan.ts';
import { secretTables } from '#lib/cells/secrets.ts';
import { publishedKeys } from '#lib/trust/signing-key.write.ts';
import { verifyPack } from '#lib/trust/verify-pack.mjs';
import { forecastsRun } from '#lib/forecasting/forecasts.run.ts';
import { startApi, type ApiProcess } from '../support/api-process.ts';
import { ensureRow, writeBareRow } from '../support/bare-row.ts';
import { createAiConnection, PROVIDER_KEY, workersWrappingKey } from '../support/ai-connection.ts';
import { buildTenancy, type Tenancy } from '../support/build.ts';
import { openCell, type Cell } from '../support/cell.ts';
import { eventually } from '../support/runs.ts';
import { signedPack, signer } from '../support/signed-pack.ts';
import { createSealedRun } from '../support/sealed-run.ts';

describe('the export of a workspace', function () {
  let folder: string;
  let source: Cell;
  let target: Cell;
  let file: string;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'assay-cells-'));
    file = path.join(folder, 'workspace.assay');
    source = await openCell('assay_test_cell_source', 1);
    target = await openCell('assay_test_cell_target', 2);
  });

  after(async () => {
    await Promise.all([source?.close(), target?.close()]);
    await rm(folder, { recursive: true });
  });

  const json = async (cell: Cell, ...words: string[]) => {
    const printed = await cell.assay(...words, '--json');
    expect(printed.status, printed.stderr).to.equal(0);
    return printed.json;
  };

  const digests = async (
    cell: Cell,
    { name, columns, rowsOf }: PlannedTable,
    workspace: string,
    omit: ReadonlySet<string>,
  ) => {
    const kept = columns.filter((column) => !omit.has(column));
    const rows = await cell.sql<{ digest: string }>(
      `select md5(row(${kept.map((column) => `"${column}"`).join(', ')})::text) as digest
       from ${name} where ${rowsOf(`'${workspace}'`)} order by 1`,
    );
    return rows.map(({ digest }) => digest);
  };

  /** The columns whose values the target changes: assigned numbers, references to them, and secrets. */
  const changedIn = ({ name, identity }: PlannedTable) =>
    new Set([
      ...(identity && !identity.isKept ? [identity.column] : []),
      ...(['audit_leaf', 'audit_pending'].includes(name) ? ['entry_id'] : []),
      ...(name === 'taxonomy_exposure' ? ['taxonomy_version_id'] : []),
      ...(secretTables[name]?.sealed ?? []),
      ...(secretTables[name]?.keyId === undefined ? [] : [secretTables[name].keyId]),
    ]);

  describe('of all tables', () => {
    it('brings the rows of every table into the target', async () => {
      const [from, to] = [
        await openCell('assay_test_cell_all_from', 3),
        await openCell('assay_test_cell_all_to', 4),
      ];
      try {
        const tenancy = await buildTenancy(from, {});
        const { workspace } = tenancy;
        await json(from, 'person', 'enrol', tenancy.person);
        await json(
          from,
          'webhook',
          'create',
          '--workspace',
          workspace,
          '--url',
          'https://hooks.example.com/',
        );
        await createAiConnection(from, tenancy, { wrappingKey: workersWrappingKey(from) });
        await from.placeEntries(workspace);
        await json(from, 'company', 'create', '--workspace', workspace, '--name', 'Waiting');
        // The rows below refer to nothing.
        for (const cell of [from, to]) await cell.sql(DROP_CONSTRAINTS);
        await fillAll(from, workspace);
        const { secret } = await exportWorkspace(from.superuserUrl, workspace, file, {
          force: true,
          clock: systemClock,
          keys: from.keys,
        });
        const planned = await from.plan();
        const before = new Map(
          await Promise.all(
            planned.map(
              async (table) => [table.name, await digests(from, table, workspace, changedIn(table))] as const,
            ),
          ),
        );
        await importWorkspace(to.superuserUrl, file, { secret, ...granted, keys: to.keys });
        for (const table of planned) {
          const rows = before.get(table.name)!;
          expect(rows.length, `the source has no row in ${table.name}`).to.be.greaterThan(0);
          const added = new Set(await digests(to, table, workspace, changedIn(table)));
          expect(
            rows.filter((row) => !added.has(row)),
            table.name,
          ).to.deep.equal([]);
        }
      } finally {
        await Promise.all([from.close(), to.close()]);
      }
    });
  });

  describe('of a workspace with data, runs and secrets', () => {
    let tenancy: Tenancy;
    let secret: Buffer;
    let manifest: Manifest;
    const made = { code: '', webhook: { uid: '', secret: '' }, company: 0, counterparty: 0, connection: '' };

    const write = (cell: Cell = source, workspace = tenancy.workspace) =>
      exportWorkspace(cell.superuserUrl, workspace, file, {
        force: true,
        clock: systemClock,
        keys: cell.keys,
      });
    const keysOf = ({ signing_keys: keys }: Manifest) => keys.map(({ keyid }) => keyid);
    const read = (cell: Cell, options: { secret?: Buffer; trustedKeys?: string[] } = {}) =>
      importWorkspace(cell.superuserUrl, file, {
        ...granted,
        secret,
        keys: cell.keys,
        trustedKeys: keysOf(manifest),
        ...options,
      });
    const codeOf = (work: Promise<unknown>): Promise<string> =>
      work.then(
        () => 'done',
        (error: { code?: string; message: string }) => `${error.code}: ${error.message}`,
      );
    const workspacesIn = (cell: Cell) => cell.sql<{ uid: string }>('select uid from workspace order by uid');

    before(async () => {
      tenancy = await buildTenancy(source, {});
      const { workspace, person } = tenancy;
      const of = ['--workspace', workspace];
      made.code = (await json(source, 'person', 'enrol', person)).secret;
      made.company = (await json(source, 'company', 'create', ...of, '--name', 'Acme')).id;
      made.counterparty = (await json(source, 'counterparty', 'create', ...of, '--name', 'Bank')).id;
      made.webhook = await json(source, 'webhook', 'create', ...of, '--url', 'https://hooks.example.com/');
      made.connection = await createAiConnection(source, tenancy, {
        wrappingKey: workersWrappingKey(source),
      });
      await json(source, 'import', 'instruments', 'lib/sample/constituents.csv', ...of);
      await json(source, 'import', 'prices', 'lib/sample/prices_monthly.csv.gz', ...of);
      for (let count = 0; count < 3; count += 1) await createSealedRun(source, tenancy, forecastsRun);
      await source.placeEntries(workspace);
      await addPack(source, tenancy);
      await source.placeEntries(workspace);
      await json(source, 'company', 'create', ...of, '--name', 'Waiting'); // its entry has no position yet
      ({ secret, manifest } = await write());
    });

    it('states its schema, its tables with the hash of every part, and the roots of both logs', async () => {
      const { migrations } = await import('#lib/database/migrations/index.ts');
      expect(manifest.schema_version).to.equal(migrations.at(-1)!.name);
      expect(manifest.tables.find(({ name }) => name === 'price')!.rows).to.be.greaterThan(1_000);
      const { rows } = {
        rows: await source.sql<{ size: string; root: string }>(
          `select tree_size as size, root_hash as root from audit_checkpoint
         where workspace_uid = $1 and environment = 'sandbox' order by tree_size desc limit 1`,
          [tenancy.workspace],
        ),
      };
      const log = manifest.logs.find(({ environment }) => environment === 'sandbox')!;
      expect(log).to.deep.include({ size: Number(rows[0]!.size), root_hash: rows[0]!.root });
      expect(log.not_placed).to.be.greaterThan(0);
    });

    it('contains no key, no secret and no code', async () => {
      const secrets = [tenancy.key, made.code, made.webhook.secret, PROVIDER_KEY];
      for await (const { name, content } of readArchive(file)) {
        for (const each of secrets) expect(content.includes(each), name).to.equal(false);
        expect(content.includes(secret.toString('base64url')), name).to.equal(false);
      }
    });

    it('is refused with another secret, and by a database of another schema', async () => {
      expect(await codeOf(read(target, { secret: Buffer.alloc(32, 1) }))).to.match(/^export_secret_wrong: /);
      await target.sql(`insert into mikro_orm_migrations (name) values ('9999-later')`);
      expect(await codeOf(read(target))).to.match(/^schema_differs: .*9999-later/);
      await target.sql(`delete from mikro_orm_migrations where name = '9999-later'`);
      expect(await workspacesIn(target)).to.deep.equal([]);
    });

    it('is refused if it is truncated or if any of its bytes has changed', async () => {
      const bytes = await readFile(file);
      try {
        for (const length of [0, 10, bytes.length >> 1, bytes.length - 1]) {
          await writeFile(file, bytes.subarray(0, length));
          expect(await codeOf(read(target)), String(length)).to.match(/^export_damaged: /);
        }
        for (const at of [40, bytes.length >> 1, bytes.length - 600]) {
          const changed = Buffer.from(bytes);
          changed[at]! ^= 0x10;
          await writeFile(file, changed);
          expect(await codeOf(read(target)), String(at)).to.match(/^export_(damaged|foreign|secret_wrong): /);
        }
      } finally {
        await writeFile(file, bytes);
      }
      expect(await workspacesIn(target)).to.deep.equal([]);
    });

    /** Writes a copy of the export with changes, as somebody with the secret could. */
    const forge = async (edit: (members: Member[], manifest: Manifest) => void) => {
      const members: Member[] = [];
      for await (const member of readArchive(file)) members.push(member);
      const { mac: _, ...rest } = JSON.parse(members.pop()!.content.toString()) as Manifest;
      edit(members, rest as Manifest);
      const listed = new Map(
        rest.tables.flatMap((table) => table.members.map((member) => [member.name, member])),
      );
      for (const { name, content } of members)
        Object.assign(listed.get(name)!, { bytes: content.length, sha256: sha256(content) });
      const archive = new ArchiveWriter(file, { force: true });
      const signed = Buffer.from(JSON.stringify(authenticated(rest, secret)));
      for (const member of [...members, { name: MANIFEST, content: signed }])
        await archive.add(member, systemClock.now());
      await archive.finish();
    };

    /** Changes the bodies of entries of the log, and then their lines. */
    const changeEntries = (
      members: Member[],
      edit: (line: string, bodies: { before: string; after: string }) => string,
    ) => {
      const member = members.find(({ name }) => name.startsWith('audit_entry/'))!;
      const lines = member.content.toString().split('\n');
      const changed = lines.map((line) => {
        const before = line.split('\t').find((column) => column.startsWith('{'));
        const forged = line.replaceAll('person.enrolled', 'person.unrolled');
        const after = forged.split('\t').find((column) => column.startsWith('{'));
        return line === forged ? line : edit(forged, { before: plain(before!), after: plain(after!) });
      });
      expect(changed).to.not.deep.equal(lines);
      member.content = Buffer.from(changed.join('\n'));
    };
    /** Returns a value of a line of COPY. */
    const plain = (column: string) => column.replaceAll('\\\\', '\\');

    const forgeries: [string, RegExp, (members: Member[], manifest: Manifest) => void][] = [
      [
        'a row of it belongs to another workspace',
        /^export_damaged: counterparty has 1 rows, of which 0/,
        (members) => {
          const member = members.find(({ name }) => name.startsWith('counterparty/'))!;
          member.content = Buffer.from(
            member.content.toString().replace(/wsp_\w{26}/, `wsp_${'0'.repeat(26)}`),
          );
        },
      ],
      [
        'a row of it refers to a row that does not exist',
        /^references_missing: rows of application refer by \w+_uid to rows of person/,
        (members) => {
          const member = members.find(({ name }) => name.startsWith('application/'))!;
          member.content = Buffer.from(
            member.content.toString().replaceAll(/per_\w{26}/g, `per_${'0'.repeat(26)}`),
          );
        },
      ],
      [
        'an entry of its log was changed without its columns',
        /^export_damaged: the columns of the audit entry \d+ differ from its body/,
        (members) => changeEntries(members, (line) => line),
      ],
      [
        'an entry of its log was changed with its columns',
        /^log_differs: \w+: entry \d+ does not match/,
        (members) =>
          changeEntries(members, (line, { before, after }) =>
            line.replace(leafHash(before), leafHash(after)),
          ),
      ],
      [
        'a sealed result was changed',
        /^seal_differs: the seal of fct_/,
        (members) => {
          const member = members.find(({ name }) => name.startsWith('run_result/'))!;
          member.content = Buffer.from(member.content.toString().replace('"kind"', '"kinds"'));
        },
      ],
      [
        'it needs a row that the target does not have',
        /^shared_row_missing: .*model_version key=svc_unknown version=9 state=approved/,
        (_members, { shared_rows }) => {
          shared_rows.push({
            table: 'model_version',
            identity: { key: 'svc_unknown', version: '9', state: 'approved' },
          });
        },
      ],
    ];
    for (const [title, code, edit] of forgeries) {
      it(`is refused if ${title}`, async () => {
        const bytes = await readFile(file);
        try {
          await forge(edit);
          expect(await codeOf(read(target))).to.match(code);
        } finally {
          await writeFile(file, bytes);
        }
        expect(await workspacesIn(target)).to.deep.equal([]);
      });
    }

    it('is refused for a role that sees only some rows', async () => {
      for (const url of [target.ownerUrl, source.ownerUrl]) {
        const work =
          url === source.ownerUrl
            ? exportWorkspace(url, tenancy.workspace, file, {
                force: true,
                clock: systemClock,
                keys: source.keys,
              })
            : importWorkspace(url, file, { secret, ...granted, keys: target.keys });
        expect(await codeOf(work)).to.match(
          /^row_security: .*; set DATABASE_DIRECT_URL to the URL of a superuser/,
        );
      }
    });

    it('is refused if a number of it is taken, and succeeds once the number is free', async () => {
      const other = await buildTenancy(target, {});
      await target.sql(
        `insert into counterparty (id, workspace_uid, name, kind, created_at) overriding system value
         select $1, $2, 'Taken', kind, now() from (values ('counterparty')) v (kind)`,
        [made.counterparty, other.workspace],
      );
      expect(await codeOf(read(target))).to.match(
        /^id_taken: counterparty_pkey: Key \(id\)=\(\d+\) already exists/,
      );
      await target.sql('delete from counterparty where id = $1', [made.counterparty]);
      const { seals } = await read(target);
      expect(seals).to.be.greaterThan(2);
    });

    it('is refused by a database that has the workspace', async () => {
      expect(await codeOf(read(target))).to.match(/^workspace_exists: /);
    });

    it('keeps the numbers that callers know, and assigns further numbers from the range of the target', async () => {
      expect(made.company).to.be.within(NUMBERS_PER_CELL + 1, 2 * NUMBERS_PER_CELL);
      const { id } = await json(
        target,
        'company',
        'create',
        '--workspace',
        tenancy.workspace,
        '--name',
        'Next',
      );
      expect(id).to.be.within(2 * NUMBERS_PER_CELL + 1, 3 * NUMBERS_PER_CELL);
      const [kept] = await target.sql<{ name: string }>('select name from company where id = $1', [
        made.company,
      ]);
      expect(kept!.name).to.equal('Acme');
    });

    it('has a log that verifies from the first leaf and goes on in the target', async () => {
      await target.placeEntries(tenancy.workspace);
      for (const { environment, size, root_hash } of manifest.logs) {
        const tenant = { workspace: tenancy.workspace, environment: environment as 'sandbox' };
        const verified = await inTenant(target.orm('operator'), tenant, verifyLog);
        expect(verified.size, environment).to.be.greaterThan(size);
        if (size === 0) continue;
        const [checkpoint] = await target.sql<{ root: string }>(
          `select root_hash as root from audit_checkpoint
           where workspace_uid = $1 and environment = $2 and tree_size = $3`,
          [tenancy.workspace, environment, size],
        );
        expect(checkpoint!.root).to.equal(root_hash);
      }
      const ops = await target.sql<{ op: string }>(
        `select op from audit_entry where workspace_uid = $1 and environment = 'sandbox' order by id desc limit 2`,
        [tenancy.workspace],
      );
      expect(ops.map(({ op }) => op)).to.deep.equal(['company.created', 'workspace.imported']);
    });

    it('has the secrets under the keys of the target', async () => {
      const [code] = await target.sql<{ sealed: string }>(
        'select sealed_secret as sealed from person_code where person_uid = $1',
        [tenancy.person],
      );
      expect(decrypt(code!.sealed, target.keys.codes, tenancy.person)).to.equal(made.code);
      const [webhook] = await target.sql<{ secret: string }>('select secret from webhook where uid = $1', [
        made.webhook.uid,
      ]);
      expect(decrypt(webhook!.secret, target.keys.webhooks, made.webhook.uid)).to.be.a('string');
      const [key] = await target.sql<{ keyId: string; wrappedKey: string; sealed: string }>(
        `select key_id as "keyId", wrapped_key as "wrappedKey", sealed from ai_connection_key where connection_uid = $1`,
        [made.connection],
      );
      expect(openEnvelope(key!, target.keys.ai, made.connection)).to.equal(PROVIDER_KEY);
    });

    it('has the public keys of its evidence packs, which sign nothing in the target', async () => {
      const [pack] = await target.sql<{ isThere: boolean; isRetired: boolean }>(
        `select true as "isThere", k.retired_at is not null and k.private_sealed is null as "isRetired"
         from evidence_pack p join signing_key k using (keyid) where p.workspace_uid = $1`,
        [tenancy.workspace],
      );
      expect(pack).to.deep.equal({ isThere: true, isRetired: true });
    });

    it('has keys that work in the target at once', async () => {
      let api: ApiProcess | undefined;
      try {
        api = await startApi({ ownerUrl: target.ownerUrl, redis: undefined });
        const answer = await fetch(`${api.url}/api/v2/workspace`, {
          headers: { authorization: `Bearer ${tenancy.key}` },
        });
        expect(answer.status).to.equal(200);
        expect(((await answer.json()) as { uid: string }).uid).to.equal(tenancy.workspace);
      } finally {
        await api?.stop();
      }
    });

    it('leaves the numbers of a target without a range of its own below the ranges of other cells', async () => {
      const plain = await openCell('assay_test_cell_plain');
      try {
        ({ secret } = await write());
        await read(plain);
        const other = await buildTenancy(plain, {});
        const of = ['--workspace', other.workspace];
        const { id } = await json(plain, 'company', 'create', ...of, '--name', 'Own');
        expect(id).to.be.at.most(NUMBERS_PER_CELL);
      } finally {
        await plain.close();
      }
    });

    it('fails without ending the process if the target is lost while numbers are reserved', async () => {
      const lost = await openCell('assay_test_cell_lost', 6);
      const holder = new Client({ connectionString: lost.superuserUrl });
      await holder.connect();
      try {
        await holder.query('begin; lock table company in row exclusive mode');
        const reading = codeOf(read(lost));
        await eventually(
          async () =>
            (
              await lost.sql(
                `select pg_terminate_backend(pid) from pg_stat_activity
                   where datname = current_database() and query like 'lock table public.company %'`,
              )
            ).length > 0,
        );
        expect(await reading).to.match(/terminat/);
      } finally {
        await holder.end();
        await lost.close();
      }
    });

    it('can be made and read with the commands of the operator', async () => {
      const third = await openCell('assay_test_cell_third', 5);
      try {
        const other = await buildTenancy(source, {});
        const exported = await json(source, 'workspace', 'export', other.workspace, file, '--force');
        const variables = { TRANSFER_SECRET: exported.transfer_secret };
        const imported = await third.assayWith(variables, 'workspace', 'import', file, '--json');
        expect(imported.status, imported.stderr).to.equal(0);
        expect(imported.json).to.deep.include({ workspace: other.workspace, rows: exported.rows });
        expect(imported.json.signing_keys).to.deep.equal(exported.signing_keys);
        const without = await third.assay('workspace', 'import', file);
        expect(without.stderr).to.match(/transfer_secret_missing/);
      } finally {
        await third.close();
      }
    });

    it('is refused if another import has brought the workspace back meanwhile', async () => {
      const other = await buildTenancy(source, {});
      const moved = await write(source, other.workspace);
      await source.sql(
        `insert into workspace_move (workspace_uid, state, to_cell, address, begun_at, moved_at)
         values ($1, 'moved', 'b', 'https://b.example.com', now(), now())`,
        [other.workspace],
      );
      const first = new Client({ connectionString: source.superuserUrl });
      await first.connect();
      try {
        await first.query('begin');
        await first.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
          `import of ${other.workspace}`,
        ]);
        expect(await codeOf(read(source, { secret: moved.secret }))).to.match(/^move_running: /);
        await first.query('delete from workspace_move where workspace_uid = $1', [other.workspace]);
        await first.query('commit');
        expect(await codeOf(read(source, { secret: moved.secret }))).to.match(/^workspace_exists: /);
      } finally {
        await first.end();
      }
    });

    it('needs the one-time code of a person in production, also if the workspace returns', async () => {
      const live = await buildTenancy(source, {});
      const { secret: codes } = await json(source, 'person', 'enrol', live.person);
      await buildTenancy(source, { workspace: live.workspace, environment: 'production' });
      const code = () => ['--as', live.person, '--code', codeAt(codes, new Date())];
      const made = path.join(folder, 'production.assay');
      const refused = await source.assay('workspace', 'export', live.workspace, made, '--json');
      expect(refused.stderr).to.include('code_invalid');
      expect(existsSync(made)).to.equal(false);
      const exported = await json(source, 'workspace', 'export', live.workspace, made, ...code());
      const [entry] = await source.sql<{ actor: string }>(
        `select body::json -> 'actor' ->> 'uid' as actor from audit_entry
         where workspace_uid = $1 and op = 'workspace.exported' limit 1`,
        [live.workspace],
      );
      expect(entry!.actor).to.equal(live.person);
      await source.sql(
        `insert into workspace_move (workspace_uid, state, to_cell, address, begun_at, moved_at)
         values ($1, 'moved', 'b', 'https://b.example.com', now(), now())`,
        [live.workspace],
      );
      const bring = (...words: string[]) =>
        source.assayWith(
          { TRANSFER_SECRET: exported.transfer_secret },
          'workspace',
          'import',
          made,
          '--json',
          ...words,
        );
      expect((await bring()).stderr).to.include('code_invalid');
      await source.sql('update person_code set last_step = 0 where person_uid = $1', [live.person]);
      const returned = await bring(...code());
      expect(returned.status, returned.stderr).to.equal(0);
    });

    describe('forged by somebody who knows its secret, for a target with a neighbour', () => {
      let wary: Cell;
      let neighbour: Tenancy;
      let genuine: Buffer;
      let theirs: SharedRow;
      let platforms: SharedRow;

      before(async () => {
        wary = await openCell('assay_test_cell_wary', 6);
        neighbour = await buildTenancy(wary, {});
        [theirs, platforms] = [
          await addDataset('dts_theirs', neighbour.workspace),
          await addDataset('dts_shared', null),
        ];
        await addEndedEntitlement();
        ({ secret, manifest } = await write());
        genuine = await readFile(file);
      });
      afterEach(() => writeFile(file, genuine));
      after(() => wary?.close());

      const addDataset = async (uid: string, workspace: string | null): Promise<SharedRow> => {
        const [identity] = await wary.sql<SharedRow['identity']>(
          `insert into dataset (uid, workspace_uid, kind, name, created_at) values ($1, $2, 'prices', $1, now())
           returning id, uid, kind, name`,
          [uid, workspace],
        );
        return { table: 'dataset', identity: identity! };
      };

      /** Writes an ended entitlement of the workspace to its own dataset into the source. */
      const addEndedEntitlement = async () => {
        const { workspace, person } = tenancy;
        const [own] = await source.sql<{ id: number }>(
          'select id from dataset where workspace_uid = $1 limit 1',
          [workspace],
        );
        const client = new Client({ connectionString: source.superuserUrl });
        await client.connect();
        try {
          const fixed = { dataset_id: own!.id, proposed_by_uid: person, state: 'ended' };
          await writeBareRow(client, 'data_entitlement', { workspace_uid: workspace, ...fixed }, workspace);
        } finally {
          await client.end();
        }
      };

      /** Changes the first row of a table, field by field. */
      const changeRow = (members: Member[], table: string, change: (fields: string[]) => void) => {
        const member = members.find(({ name }) => name.startsWith(`${table}/`))!;
        const [row, ...others] = member.content.toString().split('\n');
        const fields = row!.split('\t');
        change(fields);
        member.content = Buffer.from([fields.join('\t'), ...others].join('\n'));
      };
      const columnOf = ({ tables }: Manifest, table: string, column: string) =>
        tables.find(({ name }) => name === table)!.columns.indexOf(column);
      const setField = (
        members: Member[],
        forged: Manifest,
        [table, column, value]: [string, string, string],
      ) =>
        changeRow(members, table, (fields) => {
          fields[columnOf(forged, table, column)] = value;
        });

      /** Grants the workspace a dataset, in the first entitlement of the file. */
      const grant = (members: Member[], forged: Manifest, shared: SharedRow) => {
        setField(members, forged, ['dataset_entitlement', 'dataset_id', String(shared.identity['id'])]);
        forged.shared_rows.push(shared);
      };

      /** Lets the ended entitlement of the file refer to a dataset. */
      const refer = (members: Member[], forged: Manifest, shared: SharedRow) => {
        setField(members, forged, ['data_entitlement', 'dataset_id', String(shared.identity['id'])]);
        forged.shared_rows.push(shared);
      };

      it('is refused if it grants itself a dataset of the neighbour', async () => {
        await forge((members, forged) => grant(members, forged, theirs));
        expect(await codeOf(read(wary))).to.match(
          /^references_foreign: rows of dataset_entitlement .*dataset/,
        );
      });

      it('is refused if it has an entitlement to a dataset of the neighbour that has not ended', async () => {
        await forge((members, forged) => {
          refer(members, forged, theirs);
          setField(members, forged, ['data_entitlement', 'state', 'proposed']);
        });
        expect(await codeOf(read(wary))).to.match(/^references_foreign: rows of data_entitlement .*dataset/);
      });

      it("is refused if it gives the neighbour's person a one-time code", async () => {
        await forge((members, forged) => {
          setField(members, forged, ['person_code', 'person_uid', neighbour.person]);
          const sealed = encrypt(made.code, secret, neighbour.person);
          setField(members, forged, ['person_code', 'sealed_secret', sealed]);
        });
        expect(await codeOf(read(wary))).to.match(/^references_foreign: rows of person_code .*person/);
      });

      it("is refused if the neighbour's person owns one of its applications", async () => {
        await forge((members, forged) =>
          setField(members, forged, ['application', 'owner_uid', neighbour.person]),
        );
        expect(await codeOf(read(wary))).to.match(
          /^references_foreign: rows of application refer by owner_uid/,
        );
      });

      it('is refused if its manifest does not list a shared row', async () => {
        await forge((_members, forged) => {
          expect(forged.shared_rows).to.not.be.empty;
          forged.shared_rows = [];
        });
        expect(await codeOf(read(wary))).to.match(
          /^export_damaged: the manifest does not list the shared rows/,
        );
      });

      it('is refused if it brings a signing key that the operator does not confirm', async () => {
        expect(await codeOf(read(wary, { trustedKeys: [] }))).to.match(
          new RegExp(`^signing_key_untrusted: .* ${keysOf(manifest)[0]!}$`),
        );
      });

      for (const [title, code, change] of [
        [
          'the id of a signing key is not its thumbprint',
          /^export_damaged: the signing key/,
          { public_x: 'x'.repeat(43) },
        ],
        [
          'a signing key of it is still valid',
          /^signing_key_untrusted: .* is valid until 2999/,
          { retired_at: '2999-01-01T00:00:00.000Z' },
        ],
      ] as const) {
        it(`is refused if ${title}`, async () => {
          await forge((_members, forged) => Object.assign(forged.signing_keys[0]!, change));
          expect(await codeOf(read(wary))).to.match(code);
        });
      }

      const numbersOf = ({ tables }: Manifest, table: string) =>
        tables.find(({ name }) => name === table)!.numbers!;

      for (const [title, code, change] of [
        ['it claims most of the numbers of a sequence', /^numbers_refused: audit_entry needs/, { to: 4e18 }],
        [
          'it claims more numbers than its rows have',
          /^export_damaged: the rows of audit_entry/,
          { from: 0 },
        ],
      ] as const) {
        it(`is refused if ${title}`, async () => {
          await forge((_members, forged) => Object.assign(numbersOf(forged, 'audit_entry'), change));
          expect(await codeOf(read(wary))).to.match(code);
          const [sequence] = await wary.sql<{ last: number }>(
            'select coalesce(max(last_value), 0)::float8 as last from audit_entry_id_seq',
          );
          expect(sequence!.last).to.be.lessThan(1_000_000);
        });
      }

      it('is refused if it does not state the numbers of its rows', async () => {
        await forge((_members, { tables }) => {
          delete tables.find(({ name }) => name === 'audit_entry')!.numbers;
        });
        expect(await codeOf(read(wary))).to.match(/^export_damaged: .* the numbers of audit_entry/);
      });

      it('is refused if it has a number that the target assigns later', async () => {
        const later = 6 * NUMBERS_PER_CELL + 500;
        for (const [code, isStated] of [
          [/^numbers_refused: company has the number/, true],
          [/^export_damaged: the rows of company/, false],
        ] as const) {
          await writeFile(file, genuine);
          await forge((members, forged) => {
            setField(members, forged, ['company', 'id', String(later)]);
            const numbers = numbersOf(forged, 'company');
            numbers.from = numbers.to;
            numbers.to = isStated ? later : later + NUMBERS_PER_CELL;
            if (isStated) numbers.ranges!.push({ from: later, to: later });
          });
          expect(await codeOf(read(wary))).to.match(code);
        }
      });

      it('is accepted if it uses a dataset of the platform, and has used one of the neighbour', async () => {
        await forge((members, forged) => {
          grant(members, forged, platforms);
          refer(members, forged, theirs);
        });
        expect(await codeOf(read(wary))).to.equal('done');
      });

      it('extends the period of a signing key that comes again with a later workspace', async () => {
        const retiredAt = async () => {
          const [key] = await wary.sql<{ at: Date }>(
            'select retired_at as at from signing_key where keyid = $1',
            [keysOf(manifest)[0]!],
          );
          return key!.at.toISOString();
        };
        expect(await retiredAt()).to.equal(manifest.signing_keys[0]!.retired_at);
        const other = await buildTenancy(source, {});
        await createSealedRun(source, other, forecastsRun);
        await addPack(source, other);
        ({ secret, manifest } = await write(source, other.workspace));
        expect(await codeOf(read(wary, { trustedKeys: [] }))).to.match(/^signing_key_untrusted: /);
        expect(await codeOf(read(wary))).to.equal('done');
        expect(await retiredAt()).to.equal(manifest.signing_keys[0]!.retired_at);
      });

      it('brings a key that verifies packs of the workspace, and none of a neighbour', async () => {
        const { keyid, x: publicX } = signer;
        const other = await buildTenancy(source, {});
        ({ secret, manifest } = await write(source, other.workspace));
        await forge((_members, forged) => {
          forged.signing_keys.push({
            keyid,
            public_x: publicX,
            valid_from: '2026-10-01T00:00:00.000Z',
            retired_at: new Date().toISOString(),
          });
        });
        expect(await codeOf(read(wary, { trustedKeys: [keyid] }))).to.equal('done');
        const keys = JSON.stringify(await inPlatform(wary.orm('api'), publishedKeys));
        const packOf = ({ workspace }: Tenancy) => JSON.stringify(signedPack({ workspace_uid: workspace }));
        expect(verifyPack(packOf(other), { keys })).to.include({ ok: true });
        expect(verifyPack(packOf(neighbour), { keys })).to.include({
          ok: false,
          kind: 'signature',
          message: 'the key is published for other workspaces only',
        });
        expect(keys).to.not.include(other.workspace);
      });
    });
  });

  /** Writes an evidence pack that the signing key of the cell signed. Nothing is packed. */
  async function addPack(cell: Cell, { workspace, environment }: Tenancy): Promise<void> {
    const [run] = await cell.sql<{ uid: string }>('select uid from run where workspace_uid = $1 limit 1', [
      workspace,
    ]);
    const [key] = await cell.sql<{ keyid: string }>('select keyid from signing_key');
    const client = new Client({ connectionString: cell.superuserUrl });
    await client.connect();
    try {
      const fixed = {
        run_uid: run!.uid,
        keyid: key!.keyid,
        sequence: 1,
        previous_tree_size: 0,
        tree_size: 1,
      };
      await writeBareRow(
        client,
        'evidence_pack',
        { workspace_uid: workspace, environment, ...fixed },
        workspace,
      );
    } finally {
      await client.end();
    }
  }

  /** Writes a row of the workspace into every table that has none. Foreign keys and checks must have been dropped. */
  async function fillAll(cell: Cell, workspace: string): Promise<void> {
    const planned = await cell.plan();
    const client = new Client({ connectionString: cell.superuserUrl });
    await client.connect();
    try {
      await client.query('begin; set local session_replication_role = replica');
      const named = Map.groupBy(planned, ({ columns }) => columns.includes('workspace_uid'));
      for (const { name } of named.get(true)!)
        await ensureRow(client, name, { workspace, environment: 'sandbox' });
      const owned = named.get(false)!.filter(({ name }) => name !== 'workspace');
      // The owner of exposures comes first.
      for (const { name, columns } of owned.toSorted((one) => (one.name === 'taxonomy_version' ? -1 : 0)))
        await writeBareRow(client, name, await ownersIn(client, columns), workspace);
      await client.query('commit');
    } finally {
      await client.end();
    }
  }
});

/** An import with no confirmed keys. */
const granted = { trustedKeys: [], proveReturn: async () => unnamed, clock: systemClock };

const DROP_CONSTRAINTS = `
  do $$ declare one record; begin
    for one in select conrelid::regclass as t, conname from pg_constraint
      where contype in ('f', 'c') and conparentid = 0 and connamespace = 'public'::regnamespace
    loop execute format('alter table %s drop constraint %I', one.t, one.conname); end loop;
  end $$`;

/** Returns the rows that own a row of a table without a workspace, such as a dataset. */
async function ownersIn(client: Client, columns: readonly string[]): Promise<Record<string, unknown>> {
  const tables = {
    dataset_id: 'dataset',
    feature_version_id: 'feature_version',
    taxonomy_version_id: 'taxonomy_version',
  };
  const found: Record<string, unknown> = {};
  for (const [column, table] of Object.entries(tables)) {
    if (!columns.includes(column)) continue;
    found[column] = (await client.query<{ id: number }>(`select max(id) as id from ${table}`)).rows[0]!.id;
  }
  return found;
}
