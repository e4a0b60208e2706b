import type { Answer, Answered } from '#lib/qlms/answer.ts';
import type { Case } from '#lib/qlms/evaluation/suite.ts';
import type { Fact } from '#lib/qlms/facts/fact.ts';
import type { Client } from '../../support/client.ts';
import type { Sample } from './workspace.ts';

/** The answer to a case over HTTP, with the names of the fixture, and the milliseconds that its last question took. */
export type AskedCase = { answer: Answer; ms: number };

/** Asks the questions of a case in one conversation, and returns the last answer. */
export async function askCase(sample: Sample, test: Case): Promise<AskedCase> {
  const client = test.credential === 'narrow' ? sample.narrow : sample.full;
  let after: string | undefined;
  for (const { question } of test.context ?? [])
    after = (await invoke(client, sample, { question, ...(after === undefined ? {} : { after }) })).body.uid;
  const body = { question: test.question, ...(after === undefined ? {} : { after }) };
  const began = performance.now();
  const asked = await invoke(client, sample, body);
  return { answer: readAnswer(asked.body, sample), ms: performance.now() - began };
}

type Invoked = { status: number; body: any };

async function invoke(client: Client, { qlm }: Sample, body: object): Promise<Invoked> {
  const answer = await client.post(`/qlms/${qlm}/invoke`, body);
  if (answer.status === 422)
    return {
      status: 422,
      body: { outcome: 'refused', refusal: { code: 'not_understood', spans: [], nearest: [] } },
    };
  if (answer.status !== 200) throw new Error(`${JSON.stringify(body)}: ${JSON.stringify(answer.body)}`);
  return answer;
}

/** Reads an answer of the API. Uids and ids of the workspace become names of the fixture. */
function readAnswer(sent: any, { names, ids }: Sample): Answer {
  const body = renamed(sent, names, ids);
  if (body.outcome === 'refused')
    return {
      outcome: 'refused',
      code: body.refusal.code,
      spans: body.refusal.spans,
      nearest: body.refusal.nearest.map(({ label }: { label: string }) => label),
    };
  if (body.outcome === 'clarification')
    return { outcome: 'clarification', code: body.clarification.code, options: body.clarification.options };
  return {
    outcome: 'answered',
    query: body.query,
    // `text` is not renamed, so `display` is also taken from `sent`.
    facts: body.facts.map((fact: any, index: number) => ({
      ...readFact(fact),
      display: sent.facts[index].display,
    })),
    assumptions: body.assumptions.map(({ code }: { code: string }) => code),
    flags: body.flags,
    text: sent.text,
    slots: sent.slots,
    mentions: sent.mentions,
    names: namesIn(sent, body),
  } as Answer;
}

/** The names of an answer by the keys of the fixture: the text has the names and uids that were sent. */
function namesIn(sent: any, body: any): Answered['names'] {
  const { measures, subjects } = sent.names;
  const renamedSubjects = sent.facts.flatMap(({ of: [key] }: any, index: number) =>
    key === undefined ? [] : [[body.facts[index].of[0], subjects[key] ?? key]],
  );
  return { measures, subjects: { ...subjects, ...Object.fromEntries(renamedSubjects) } };
}

function readFact(fact: any): Fact {
  const isDouble = fact.rounding !== null || (fact.value !== null && /\.\d{5,}$/.test(fact.value));
  return {
    ...fact,
    of: fact.of[0] ?? null,
    number: fact.value === null ? null : isDouble ? Number(fact.value) : null,
    value: isDouble ? null : fact.value,
    source: { kind: fact.source.kind, name: fact.source.name, pointer: fact.source.pointer ?? undefined },
  };
}

function renamed(body: any, names: Sample['names'], ids: Sample['ids']): any {
  const walk = (value: any): any => {
    if (typeof value === 'string') return nameIn(value, names);
    if (Array.isArray(value)) return value.map((each) => walk(each));
    if (value === null || typeof value !== 'object') return value;
    const copy = Object.fromEntries(Object.entries(value).map(([name, each]) => [name, walk(each)]));
    const map = ids[copy['type'] as keyof typeof ids];
    if (map && typeof copy['key'] === 'string') copy['key'] = map.get(copy['key']) ?? copy['key'];
    if (copy['field'] === 'counterparty')
      copy['value'] = idLike(copy['value'], ids.counterparty.get(String(copy['value'])));
    return copy;
  };
  return walk(body);
}

/** Returns an id of the fixture in the form in which the id of the workspace was sent. */
function idLike(sent: unknown, known: string | undefined): unknown {
  if (known === undefined) return sent;
  return typeof sent === 'number' ? Number(known) : known;
}

function nameIn(text: string, names: ReadonlyMap<string, string>): string {
  return text.replace(/[a-z]{3}_[0-9A-HJKMNP-TV-Z]{26}/g, (uid) => names.get(uid) ?? uid);
}
