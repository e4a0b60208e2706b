import { listAudit, type ListedEntry } from '#lib/audit/audit-entry.query.ts';
import { Problem } from '#lib/core/problem.ts';
import { proveEntry, signedEntries } from '#lib/trust/inclusion-proof.query.ts';
import { instant, pill, words } from '../format.ts';
import { html, type Html } from '../html.ts';
import { definePage, type PageCall } from '../page.ts';
import { recordView } from '../record-view.ts';
import { card } from '../shell.ts';
import { empty } from '../states.ts';
import { table } from '../table.ts';
import { packCheck } from './pack-check.ts';

/** The number of entries that the page shows. */
const ENTRIES_MAX = 100;

/** The newest entries of the audit log, filtered by operation, subject and day. */
export const auditPage = definePage({
  path: '/console/audit',
  area: 'Audit log',
  async render(call) {
    await requireTrust(call);
    const { op, subject, since } = call.query;
    const entries = await call.ask(listAudit, {
      op,
      subject,
      since: dayOf(since),
      limit: ENTRIES_MAX,
    });
    const body = html`<header class="head">
        <div>
          <h1>Audit log</h1>
          <p class="meta">Every decision and refusal of the workspace, in an append-only log</p>
        </div>
      </header>
      <form class="filters" action="/console/audit">
        <label
          >Operation<input name="op" value="${op ?? ''}" placeholder="delegation.activated" maxlength="80"
        /></label>
        <label
          >Subject<input name="subject" value="${subject ?? ''}" placeholder="uid" maxlength="64"
        /></label>
        <label>Since<input name="since" type="date" value="${since ?? ''}" /></label>
        <button type="submit">Filter</button>
      </form>
      ${card(
        {
          title: 'Entries',
          note: entries.length === ENTRIES_MAX ? `the newest ${ENTRIES_MAX}` : String(entries.length),
        },
        entries.length === 0
          ? empty('No entry matches the filters.')
          : table('Entries of the audit log', columnsOf(await call.ask(signedEntries)), entries),
      )}`;
    return { title: 'Audit log', crumbs: [['Audit log']], body };
  },
});

/** Returns the columns of entries. The newest evidence pack covers the first `signed` entries of the log. */
const columnsOf = (signed: number) => [
  {
    heading: 'Entry',
    cell: ({ index, id }: ListedEntry) =>
      index === null
        ? html`<span class="dim" title="${id}">not placed yet</span>`
        : html`<a class="mono" href="/console/audit/${index}">${index}</a>`,
  },
  {
    heading: 'Proof',
    cell: ({ index }: ListedEntry) =>
      index !== null && index < signed
        ? html`<a class="up" href="/console/audit/${index}">proof</a>`
        : html`<span class="dim">next pack</span>`,
  },
  { heading: 'At, UTC', cell: ({ entry }: ListedEntry) => instant(entry.at) },
  { heading: 'Operation', cell: ({ entry }: ListedEntry) => entry.op },
  { heading: 'Outcome', cell: ({ entry }: ListedEntry) => outcomeOf(entry) },
  { heading: 'Actor', cell: ({ entry }: ListedEntry) => actorOf(entry) },
  { heading: 'Subject', cell: ({ entry }: ListedEntry) => recordView(entry.subject.uid) },
  {
    heading: 'Leaf',
    cell: ({ leafHash }: ListedEntry) =>
      html`<span class="mono dim" title="${leafHash}">${leafHash.slice(0, 12)}…</span>`,
  },
];

/** One entry of the audit log, with the proof that the newest evidence pack covers it. */
export const auditEntryPage = definePage({
  path: '/console/audit/:index',
  area: 'Audit log',
  document: async (call) => {
    const proof = await proofOf(call);
    if ('schema' in proof) return proof;
    throw new Problem('not_found', `The newest evidence pack covers only ${proof.signed} entries.`);
  },
  async render(call) {
    const index = call.params['index']!;
    const proof = await proofOf(call);
    const body =
      'schema' in proof
        ? proven(index, proof)
        : html`<header class="head"><h1>Entry ${index}</h1></header>
            ${card(
              { title: 'Proof' },
              empty(
                `The newest evidence pack covers ${proof.signed} entries, and entry ${index} is not among them. The next pack covers it.`,
                'npm run assay -- evidence create --help',
              ),
            )}`;
    return { title: `Entry ${index}`, crumbs: [['Audit log', '/console/audit'], [index]], body };
  },
});

type Proof = Extract<Awaited<ReturnType<typeof proveEntry>>, { schema: string }>;

function proven(index: string, { inclusion, pack }: Proof): Html {
  const entry = JSON.parse(inclusion.entry) as Readonly<Record<string, unknown>>;
  const path = inclusion.path.map((hash, level) => ({ level, hash }));
  return html`<header class="head">
      <div>
        <h1>${String(entry['op'])}</h1>
        <p class="meta">
          <span>entry ${index} of ${pack.log.tree_size}</span><span>${instant(String(entry['at']))} UTC</span>
        </p>
      </div>
      <div class="acts">
        <a class="button" href="/console/audit/${index}/json" download="entry-${index}.json">Proof</a>
      </div>
    </header>
    <div class="grid-2">
      ${card({ title: 'Entry' }, recordView(entry))}
      <div class="stack">
        ${packCheck(`/console/audit/${index}/json`, 'The browser hashes the entry, follows the path to the root, and checks the signature of the pack over the root.')}
        ${card(
          { title: 'Path to the root', note: `${path.length} hashes` },
          table(
            'Path to the root',
            [
              { heading: 'Level', isNumber: true, cell: ({ level }) => level },
              {
                heading: 'Neighbour',
                cell: ({ hash }) => html`<span class="mono" title="${hash}">${hash.slice(0, 20)}…</span>`,
              },
            ],
            path,
            'tight',
          ),
        )}
        ${card({ title: 'Signed by pack' }, recordView({ pack: pack.uid, sequence: pack.sequence, root: pack.log.root_hash }))}
      </div>
    </div>`;
}

async function proofOf(call: PageCall) {
  await requireTrust(call);
  const index = Number(call.params['index']);
  if (!Number.isSafeInteger(index) || index < 0) throw new Problem('not_found', 'There is no such entry.');
  return call.ask(proveEntry, index);
}

/** Refuses the page to workspaces that may not read evidence packs. */
async function requireTrust({ read }: PageCall): Promise<void> {
  await read('trust.evidence_packs.list', { limit: 1 });
}

function outcomeOf({ outcome }: ListedEntry['entry']): Html {
  return outcome.status === 'refused'
    ? html`${pill('refused')} ${words('code' in outcome ? String(outcome.code) : '')}`
    : html`<span class="up">${words(outcome.status)}</span>`;
}

function actorOf({ actor }: ListedEntry['entry']): Html {
  return html`${words(actor.kind)}
  ${'uid' in actor && actor.uid && html`<span class="mono dim">${actor.uid.slice(0, 12)}…</span>`}`;
}

function dayOf(text: string | undefined): Date | undefined {
  return text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
    ? new Date(`${text}T00:00:00Z`)
    : undefined;
}
