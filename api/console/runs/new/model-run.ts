import Type from 'typebox';
import type { TObject } from 'typebox';
import { Problem, type Fault } from '#lib/core/problem.ts';
import { Closed } from '#lib/core/schema.ts';
import { exampleOf } from '../../../derive/example.ts';
import { findModel, type FoundModel } from '../../../quant/models/find-model.ts';
import { submissionOf, type RunModelBody } from '../../../quant/models/model-submission.ts';
import { runningOf } from '../../../quant/models/workspace-model.ts';
import { definePage, type DecisionCall, type PageCall } from '../../page.ts';
import { bodyOfCurl } from './curl.ts';
import { entriesOf, requestOf } from './entries.ts';
import { fieldsOf, type Field } from './fields.ts';
import { curlView, runForm } from './run-form.ts';
import { refusedBy, refusedOf, submitForm } from './submission.ts';

const PLACE = '/console/new/models';
const SCOPE = 'quant:models:run';

/** The form of a run of a model: its version, and the fields of its input. Submits what `runModel` submits. */
export const modelRunPage = definePage({
  path: `${PLACE}/:key`,
  area: 'New run',
  duty: 'submit_runs',
  decisions: [
    { name: 'submit', duty: 'submit_runs', act: submit },
    { name: 'curl', duty: 'submit_runs', act: showCurl },
  ],
  async render(call) {
    const { key, title, input } = await modelOf(call);
    const fields = fieldsOfModel(input);
    const example = { input: exampleOf(input) as Record<string, unknown> };
    const heading = `Run the model ${key}`;
    const body = await runForm(call, {
      path: `${PLACE}/${encodeURIComponent(key)}`,
      title: heading,
      summary: title,
      scope: SCOPE,
      fields,
      preset: call.query['example'] === undefined ? {} : entriesOf(fields, example),
    });
    const crumbs = [['Runs', '/console/runs'], ['New run', '/console/new'], [key]] as const;
    return { title: heading, crumbs, body };
  },
});

type ShownModel = { key: string; title: string; input: TObject; found: FoundModel };

async function modelOf({ ask, params }: PageCall): Promise<ShownModel> {
  const found = await ask(findModel, params['key']!);
  if (!found) throw new Problem('not_found', 'There is no such model.');
  if ('own' in found) {
    const { key, uid, family } = found.own;
    return { key, title: `${uid}, ${family}`, input: runningOf(found.own).input, found };
  }
  const { key, title, input } = found.builtIn;
  return { key, title, input, found };
}

/** Returns the fields of the body of `POST /quant/models/{key}/run`: the version, and the members of the input. */
export function fieldsOfModel(input: TObject): Field[] {
  const description = 'The input of the model.';
  const [version] = fieldsOf(
    Closed({
      version: Type.Optional(
        Type.String({
          description:
            'Version of the model that you rely on. The run is refused if it is not the serving version. Default: the serving version.',
        }),
      ),
    }),
  );
  const fields = fieldsOf(input, 1);
  return [
    {
      kind: 'group',
      member: 'input',
      description,
      isRequired: true,
      preset: undefined,
      schema: input,
      fields,
    },
    version!,
  ];
}

async function submit(call: DecisionCall) {
  const { found, input, key } = await modelOf(call);
  const { body, faults, placeOf } = bodyOf(call, input);
  if (faults.length > 0) return refusedBy(faults, call);
  try {
    const { run, request, needs, pointing } = submissionOf(found, body);
    return await pointing(async () => {
      const requested = request();
      return submitForm(call, {
        operation: `model ${key}`,
        run: { ...run, resolve: (em, given, at) => pointing(async () => run.resolve(em, given, at)) },
        request: requested,
        needs: [SCOPE, run.scope, ...needs(requested)],
        placeOf,
      });
    });
  } catch (error) {
    return refusedOf(error, call, placeOf);
  }
}

async function showCurl(call: DecisionCall) {
  const { input, key } = await modelOf(call);
  const { body, faults } = bodyOf(call, input);
  if (faults.length > 0) return refusedBy(faults, call);
  const text = bodyOfCurl(`/quant/models/${encodeURIComponent(key)}/run`, body);
  return { preview: curlView(text), entered: call.form };
}

/** Returns the body that the form states. */
function bodyOf({ form }: DecisionCall, input: TObject) {
  const { request, faults, placeOf } = requestOf(fieldsOfModel(input), form);
  const body: RunModelBody = { ...(request as Partial<RunModelBody>), input: inputOf(request['input']) };
  return { body, faults: faults as readonly Fault[], placeOf };
}

function inputOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
