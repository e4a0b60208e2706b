import { hasSameEngine } from '#lib/qlms/asking/engine.query.ts';
import { judgeSuite } from '#lib/qlms/evaluation/judge-suite.query.ts';
import { qlmEvaluationsRun } from '#lib/qlms/evaluation/qlm-evaluations.run.ts';
import { recordEvaluation } from '#lib/qlms/evaluation/record-evaluation.write.ts';
import { runner } from '../process/runner.ts';

export default runner(qlmEvaluationsRun, {
  /**
   * Answers the cases at the revisions of the submission. The cases are answered and judged here and not in the thread,
   * because answering reads the database.
   */
  load: (em, { input, datasetRevisions }) => judgeSuite(em, input, datasetRevisions),
  record: (em, { uid, input, output, sealHash, now }) =>
    recordEvaluation(
      em,
      { uid, model: input.model_uid, versionUid: input.version_uid, sealHash, now },
      output.result,
    ),
  hasSameEngine,
  compute: new URL('./qlm-evaluations.compute.ts', import.meta.url),
});
