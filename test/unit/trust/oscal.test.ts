import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { expect } from 'chai';
import { sealPack } from '#lib/trust/evidence-pack.ts';
import { controls } from '#lib/trust/controls.ts';
import { assessmentResults } from '#lib/trust/oscal.ts';
import { assessmentResultsSchema } from '../../support/oscal-schema.ts';
import { packFacts } from '../../support/signed-pack.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[45][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const [failed] = packFacts().controls;
const untested = { ...failed!, key: 'untested', result: 'not_evaluated' as const, population: 0, tested: 0 };
const good = { ...failed!, key: 'good', result: 'satisfied' as const, passed: 4, failed: 0 };
const pack = sealPack(packFacts({ controls: [failed!, untested, good] }));

const ajv = new Ajv({ unicodeRegExp: true, allErrors: true, strictTypes: false });
formats.default(ajv, ['date-time', 'uri-reference']);
const isAssessmentResults = ajv.compile(assessmentResultsSchema);

describe('an evidence pack as OSCAL assessment results', () => {
  const { 'assessment-results': document } = assessmentResults(pack);
  const [result] = document.results;

  it('has the members that the OSCAL model requires, with valid and unique UUIDs', () => {
    expect(document).to.have.keys(['uuid', 'metadata', 'import-ap', 'results', 'back-matter']);
    expect(document.metadata).to.have.keys(['title', 'last-modified', 'version', 'oscal-version']);
    expect(result).to.include({ start: pack.period.from, end: pack.period.to });
    const uuids = JSON.stringify(document).match(/(?<="uuid":")[^"]+/g)!;
    for (const uuid of uuids) expect(uuid).to.match(UUID);
    expect(new Set(uuids).size).to.equal(uuids.length);
  });

  it('is valid under the published schema for every result of a control', () => {
    const everyControl = controls.map(({ key, title, statement }) => ({ ...good, key, title, statement }));
    for (const found of [pack.controls, [untested], everyControl, []]) {
      const exported = assessmentResults(sealPack(packFacts({ controls: found })));
      expect(isAssessmentResults(exported), JSON.stringify(isAssessmentResults.errors)).to.equal(true);
    }
    const odd = assessmentResults(sealPack(packFacts({ controls: [{ ...good, key: '1 control' }] })));
    expect(isAssessmentResults(odd)).to.equal(false);
  });

  it('has an observation for every control, and a finding only for an evaluated control', () => {
    const [{ 'include-controls': reviewed } = {}] = result!['reviewed-controls']['control-selections'];
    expect(reviewed!.map((each) => each['control-id'])).to.deep.equal([failed!.key, 'untested', 'good']);
    expect(result!.observations!).to.have.lengthOf(3);
    for (const { methods } of result!.observations!) expect(methods).to.deep.equal(['TEST']);
    const found = result!.findings!.map(({ target }) => [target['target-id'], target.status.state]);
    expect(found).to.deep.equal([
      [failed!.key, 'not-satisfied'],
      ['good', 'satisfied'],
    ]);
  });

  it('refers only to observations and resources that it contains', () => {
    const there = new Set([
      ...result!.observations!.map(({ uuid }) => uuid),
      ...document['back-matter'].resources.map(({ uuid }) => uuid),
    ]);
    expect(there).to.include(document['import-ap'].href.slice(1));
    for (const finding of result!.findings!) {
      for (const { 'observation-uuid': uuid } of finding['related-observations'])
        expect(there).to.include(uuid);
    }
    for (const observation of result!.observations!) {
      for (const { href } of observation['relevant-evidence']) expect(there).to.include(href.slice(1));
    }
  });

  it('has no findings if no control was evaluated', () => {
    const none = assessmentResults(sealPack(packFacts({ controls: [untested] })));
    expect(none['assessment-results'].results[0]).to.not.have.property('findings');
    expect(assessmentResults(pack)).to.deep.equal(assessmentResults(pack));
  });
});
