/*
 * The part of the published JSON schema of OSCAL assessment results for the exported members: the allowed
 * members, the required ones, and their forms. No other member is allowed, so that a newly exported member
 * needs a line here. https://github.com/usnistgov/OSCAL, json/schema/oscal_assessment-results_schema.json
 * (NIST, public domain).
 */

const String = { type: 'string', pattern: '^\\S(.*\\S)?$' };
const Markup = { type: 'string' };
const Token = { type: 'string', pattern: '^(\\p{L}|_)(\\p{L}|\\p{N}|[.\\-_])*$' };
const UriReference = { type: 'string', format: 'uri-reference' };
const Instant = {
  type: 'string',
  format: 'date-time',
  pattern: '^(19|2[0-9])[0-9]{2}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3])(:[0-5][0-9]){2}(\\.[0-9]+)?Z$',
};
const Uuid = {
  type: 'string',
  pattern: '^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[45][0-9A-Fa-f]{3}-[89ABab][0-9A-Fa-f]{3}-[0-9A-Fa-f]{12}$',
};

const one = (...values: string[]) => ({ enum: values });
const some = (items: object) => ({ type: 'array', minItems: 1, items });

/** Returns the schema of an object with exactly these members; members with a `?` are optional. */
function assembly(members: Record<string, object>) {
  const named = Object.entries(members).map(([name, schema]) => [name.replace('?', ''), schema] as const);
  return {
    type: 'object',
    properties: Object.fromEntries(named),
    required: Object.keys(members).filter((name) => !name.endsWith('?')),
    additionalProperties: false,
  };
}

const observation = assembly({
  uuid: Uuid,
  'title?': Markup,
  description: Markup,
  methods: some({ allOf: [String, one('EXAMINE', 'INTERVIEW', 'TEST', 'UNKNOWN')] }),
  'relevant-evidence?': some(assembly({ 'href?': UriReference, description: Markup })),
  collected: Instant,
});

const finding = assembly({
  uuid: Uuid,
  title: Markup,
  description: Markup,
  target: assembly({
    type: one('statement-id', 'objective-id'),
    'target-id': Token,
    status: assembly({ state: one('satisfied', 'not-satisfied') }),
  }),
  'related-observations?': some(assembly({ 'observation-uuid': Uuid })),
});

const result = assembly({
  uuid: Uuid,
  title: Markup,
  description: Markup,
  start: Instant,
  'end?': Instant,
  'reviewed-controls': assembly({
    'control-selections': some(
      assembly({ 'description?': Markup, 'include-controls?': some(assembly({ 'control-id': Token })) }),
    ),
  }),
  'observations?': some(observation),
  'findings?': some(finding),
});

export const assessmentResultsSchema = assembly({
  'assessment-results': assembly({
    uuid: Uuid,
    metadata: assembly({
      title: Markup,
      'last-modified': Instant,
      version: String,
      'oscal-version': String,
    }),
    'import-ap': assembly({ href: UriReference }),
    results: some(result),
    'back-matter?': assembly({
      'resources?': some(assembly({ uuid: Uuid, 'title?': Markup, 'description?': Markup })),
    }),
  }),
});
