import { defineOperation } from '../../services.ts';
import { findModel } from './find-model.ts';
import { builtInDetail, workspaceModelDetail } from './model-detail.ts';
import { RunnableModelDetail } from './model-detail.schema.ts';

export const getModel = defineOperation({
  key: 'quant.models.get',
  product: 'Quant',
  method: 'GET',
  path: '/quant/models/{key}',
  scope: 'quant:models:read',
  summary: 'Returns a model with its JSON Schemas, versions, approvals and limits.',
  description:
    'A model of the workspace is found by its key or its uid. Persons appear by their uids. The schema of the input is ' +
    'the one that `POST /quant/models/{key}/run` checks.',
  success: { status: 200, description: 'The model.', schema: RunnableModelDetail },
  problems: ['not_found'],
  async handle({ services, params, fail }) {
    const body = await services.query(async (em) => {
      const found = await findModel(em, params.key);
      if (!found) return undefined;
      return 'own' in found ? workspaceModelDetail(em, found.own) : builtInDetail(em, found.builtIn);
    });
    return { status: 200, body: body ?? fail('not_found', 'There is no such model.') };
  },
});
