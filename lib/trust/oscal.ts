import { sha256 } from '#lib/core/seal.ts';
import type { ControlFinding, PackContent } from './evidence-pack.ts';

const OSCAL_VERSION = '1.1.2';

/**
 * Converts a pack to OSCAL assessment results. Each control becomes an observation. Only evaluated controls
 * become findings, because OSCAL supports only `satisfied` and `not-satisfied`. The same pack always gives
 * the same document.
 */
export function assessmentResults(pack: PackContent) {
  const id = (name: string) => nameUuid(`${pack.seal.pack_hash} ${name}`);
  const evaluated = pack.controls.filter(({ result }) => result !== 'not_evaluated');
  return {
    'assessment-results': {
      uuid: id('document'),
      metadata: {
        title: `Evidence pack ${pack.sequence} of ${pack.workspace_uid}, ${pack.environment}`,
        'last-modified': pack.created_at,
        version: String(pack.sequence),
        'oscal-version': OSCAL_VERSION,
      },
      'import-ap': { href: `#${id('plan')}` },
      results: [
        {
          uuid: id('result'),
          title: 'Controls of the period',
          description: 'The service tested the controls on its own audit log, over the whole period.',
          start: pack.period.from,
          end: pack.period.to,
          'reviewed-controls': {
            'control-selections': [
              {
                description: 'The controls of the pack.',
                ...unlessEmpty({
                  'include-controls': pack.controls.map(({ key }) => ({ 'control-id': key })),
                }),
              },
            ],
          },
          ...unlessEmpty({
            observations: pack.controls.map((control) => observationOf(control, pack, id)),
            findings: evaluated.map((control) => findingOf(control, id)),
          }),
        },
      ],
      'back-matter': {
        resources: [
          {
            uuid: id('plan'),
            title: 'The plan of the assessment',
            description: 'The controls of the service, tested on every entry of the period.',
          },
          {
            uuid: id('pack'),
            title: `Evidence pack ${pack.uid}`,
            description: `Signed. Its hash is sha256:${pack.seal.pack_hash}.`,
          },
        ],
      },
    },
  };
}

type Names = (name: string) => string;

/** Omits empty lists, which OSCAL does not allow. */
function unlessEmpty<T extends Record<string, readonly unknown[]>>(lists: T): Partial<T> {
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)) as Partial<T>;
}

function observationOf(control: ControlFinding, pack: PackContent, id: Names) {
  const { key, title, statement, population, tested, passed, failed, not_evaluated: open } = control;
  return {
    uuid: id(`observation ${key}`),
    title,
    description: `${statement} Of ${population} entries ${tested} were tested: ${passed} passed, ${failed} failed. ${open} could not be tested.`,
    methods: ['TEST'],
    collected: pack.created_at,
    'relevant-evidence': [
      {
        href: `#${id('pack')}`,
        description: `Entries ${control.observation_refs.join(', ') || 'none'} of the log ${pack.log.origin}, with their proofs under the root ${pack.log.root_hash}.`,
      },
    ],
  };
}

function findingOf({ key, title, statement, result }: ControlFinding, id: Names) {
  return {
    uuid: id(`finding ${key}`),
    title,
    description: statement,
    target: {
      type: 'objective-id',
      'target-id': key,
      status: { state: result === 'satisfied' ? 'satisfied' : 'not-satisfied' },
    },
    'related-observations': [{ 'observation-uuid': id(`observation ${key}`) }],
  };
}

/**
 * Derives a UUID from a name. OSCAL accepts versions 4 and 5. The derived UUID is marked as version 5, but uses
 * SHA-256.
 */
function nameUuid(name: string): string {
  const digits = sha256(name);
  const variant = '89ab'[Number.parseInt(digits[16]!, 16) % 4]!;
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `5${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-');
}
