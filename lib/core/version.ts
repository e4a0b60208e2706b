import manifest from '../../package.json' with { type: 'json' };

/** The version of Assay that is running. */
export const version: string = manifest.version;
