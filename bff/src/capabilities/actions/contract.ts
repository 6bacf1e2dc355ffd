/** What users do to many records: stored, executed and undone by the server. */
import type { Declaration } from '../../core/declaration.ts';
import type { ActionHistory, ActionList, ActionResults } from './action-types.ts';
import { actionLimits } from '../../core/limits/field-rules.ts';
import { list, purge } from '../../core/limits/job-rows.ts';
import { inReader, point, rows, small, write, written } from '../../core/limits/operation-rows.ts';

export type {
  Action,
  ActionFilter,
  ActionHistory,
  ActionItem,
  ActionKind,
  ActionKinds,
  ActionList,
  ActionOf,
  ActionResult,
  ActionResults,
  ActionRetry,
  ActionStart,
  ActionState,
  ActionSwarm,
  ActionUndo,
  NamedItem,
  RecordedField,
} from './action-types.ts';

declare module '../../core/contract/answers.ts' {
  interface Answers {
    '/api/actions': ActionList;
    '/api/actions/:id/results': ActionResults;
    '/api/actions/history': ActionHistory;
  }
}

export const actionsRows = {
  limits: {
    'GET /api/actions': inReader,
    'GET /api/actions/history': { ...point, rows: 50 },
    'POST /api/actions': { runs: 'actions', rows, body: small },
    // Items with the longest texts.
    'PUT /api/actions/:id/parts/:part': { ...write, body: { bytes: 5 * 1024 * 1024, items: actionLimits.part } },
    'POST /api/actions/:id/start': { runs: 'actions', rows },
    'POST /api/actions/:id/wait': written,
    'POST /api/actions/:id/pause': write,
    'POST /api/actions/:id/resume': { runs: 'actions', rows },
    'POST /api/actions/:id/stop': write,
    'POST /api/actions/:id/dismiss': write,
    'POST /api/actions/:id/retry': { runs: 'actions', rows, body: small },
    'POST /api/actions/:id/undo': { runs: 'actions', rows, body: small },
    'GET /api/actions/:id/results': { ...inReader, isStreamed: true },
  },
  jobs: {
    leftDeletions: purge,
    actionsPurge: purge,
    actions: { rows: 500, KiB: 1024, statements: 20 },
    'GET /api/actions/:id/results': list,
  },
  problems: {
    'action.changed_since': [409, 'The record was changed after the action', 'app'],
    'action.count_changed': [409, 'The number of matching records has changed', 'app'],
    'action.kind_unknown': [409, 'This version of the server does not know this kind of action', 'app'],
    'action.not_found': [404, 'Action not found', 'app'],
    'action.partly_undone': [
      409,
      'Some fields were changed after the action and stay as they are; the others are put back',
      'app',
    ],
    'action.parts_missing': [409, 'Some parts of the action have not been uploaded', 'app'],
    'action.state': [409, 'The state of the action does not allow this', 'app'],
    'action.too_many': [409, 'This account has reached the limit of actions that have not ended', 'app'],
    'action.too_many_items': [409, 'This account has reached the limit of items in actions', 'app'],
    'action.undo_too_large': [409, 'What this replaces is too much to be kept for an undo', 'app'],
  },
} as const satisfies Declaration;
