import { conditionalValueAtRisk } from '#lib/numerics/optimisation/conditional-value-at-risk.ts';
import { minimumRisk } from '#lib/numerics/optimisation/minimum-risk.ts';
import { portfolioPolyhedron } from '#lib/numerics/optimisation/portfolio-polyhedron.ts';
import { portfolioProgram } from '#lib/numerics/optimisation/portfolio-program.ts';
import { serveRounds } from '../factors/serve-rounds.ts';
import { readCase } from './optimiser-cases.ts';

/** Solves one problem with Assay's optimiser, `repeats` times in each round. */
const [kind, repeats, dataPath, resultPath] = process.argv.slice(2) as [string, string, string, string];
const { assets, covariance, returns } = readCase(dataPath);

function solve(): number {
  const lower = new Float64Array(assets);
  const prepared = portfolioPolyhedron(covariance, {
    lower,
    upper: new Float64Array(assets).fill(1),
    budget: 1,
  });
  if (!prepared.ok) throw new Error(prepared.reason);
  if (kind === 'variance') {
    const objective = { risk: 1, linear: new Float64Array(assets), costWeight: 0 };
    const found = portfolioProgram(prepared.polyhedron, objective);
    if (!found.ok) throw new Error(found.reason);
    return found.solution.variance;
  }
  const found = minimumRisk(prepared.polyhedron, conditionalValueAtRisk({ assets, returns }, 0.95));
  if (!found.ok) throw new Error(found.reason);
  return found.solution.risk;
}

await serveRounds(
  () => {
    let objective = 0;
    for (let at = 0; at < Number(repeats); at += 1) objective = solve();
    return Float64Array.of(objective);
  },
  resultPath,
  processorMs,
);

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
