import { ProjectVersion, ResearchProject } from './research-project.entity.ts';

/** The entities of this folder's tables. */
export const entities = [ResearchProject, ProjectVersion];
