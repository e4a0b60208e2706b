import { Application } from './application.entity.ts';
import { Company } from './company.entity.ts';
import { Counterparty } from './counterparty.entity.ts';
import { Credential } from './credential.entity.ts';
import { OAuthClient } from './oauth-client.entity.ts';
import { PersonCode } from './person-code.entity.ts';
import { Person } from './person.entity.ts';
import { ProductionAccess } from './production-access.entity.ts';
import { Workspace } from './workspace.entity.ts';

/** The entities of this folder's tables. */
export const entities = [
  Workspace,
  Person,
  PersonCode,
  Application,
  Credential,
  OAuthClient,
  ProductionAccess,
  Company,
  Counterparty,
];
