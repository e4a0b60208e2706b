import { defineProduct } from '#lib/core/product.ts';

/** Cells: whole deployments that share no database. A workspace belongs to one cell and can be moved to another. */
export const cells = defineProduct({
  folder: 'cells',
  uses: ['events', 'ai'],
  problems: {
    workspace_moved: { status: 421, title: 'The workspace has been moved to another address' },
    workspace_moving: { status: 503, title: 'The workspace is being moved and accepts no writes' },
  },
  tables: {
    workspace_move: {
      rows: 'workspace',
      operator: 'select, insert, update, delete',
      api: 'select',
      worker: 'select',
    },
  },
  events: {
    'workspace:read': {
      'workspace.exported': 'Everything of the workspace was exported to a file.',
      'workspace.imported': 'The workspace was imported from a file.',
      'workspace.move_begun': { about: 'A move of the workspace to another cell began.', members: ['to'] },
      'workspace.move_failed': {
        about: 'A move of the workspace failed; it stays in its cell.',
        members: ['to'],
      },
      'workspace.purge_requested':
        'A person requested to delete the old copy of the workspace in a cell that it has left.',
      'workspace.purge_approved': 'A second person approved to delete the old copy of the workspace.',
      'workspace.copy_purged': {
        about: 'The old copy of the workspace in a cell that it has left was deleted.',
        members: ['rows'],
      },
      'workspace.moved': {
        about: 'The workspace was moved and is served by this cell from now on.',
        members: ['to'],
      },
    },
  },
});
