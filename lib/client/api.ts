import type { paths } from './schema.d.mts';

/** The path prefix of all requests of a client. */
export const API_PREFIX = '/api/v2';

/** The operations of the API, by their paths below `/api/v2`. */
export type Api = {
  [Path in keyof paths as Path extends `${typeof API_PREFIX}${infer Below}` ? Below : never]: paths[Path];
};

type Json<Answer> = Answer extends { content: { 'application/json': infer Body } } ? Body : never;
type Responses<Operation> = Operation extends { responses: infer Map } ? Map : never;

/** The JSON body of an operation's answer with this status. */
export type AnswerOf<Operation, Status extends number> =
  Responses<Operation> extends { [Given in Status]: infer Answer } ? Json<Answer> : never;

/** The JSON body that an operation takes. Includes undefined if the body may be omitted. */
export type BodyOf<Operation> = Operation extends {
  requestBody: { content: { 'application/json': infer Body } };
}
  ? Body
  : Operation extends { requestBody?: { content: { 'application/json': infer Body } } }
    ? Body | undefined
    : undefined;

export type QueryOf<Operation> = Operation extends { parameters: { query?: infer Query } }
  ? NonNullable<Query>
  : never;

type ListPaths = {
  [Path in keyof Api]: AnswerOf<Api[Path]['get'], 200> extends { data: unknown[]; page: unknown }
    ? Path
    : never;
};

/** The paths of operations that return a list. */
export type ListPath = ListPaths[keyof Api];

export type ItemOf<Path extends ListPath> =
  AnswerOf<Api[Path]['get'], 200> extends { data: (infer Item)[] } ? Item : never;

type RunPaths = {
  [Path in keyof Api]: [AnswerOf<Api[Path]['post'], 202>] extends [never]
    ? never
    : `${Path}/{uid}` extends keyof Api
      ? Path
      : never;
};

/** The paths where runs are submitted. A run is read below the same path. */
export type RunPath = RunPaths[keyof Api];

export type SealedOf<Path extends RunPath> = AnswerOf<Api[Path]['post'], 201>;
export type OpenOf<Path extends RunPath> = AnswerOf<Api[Path]['post'], 202>;
