/**
 * The metrics of this process as text for Prometheus. Modules count by themselves, and their numbers are read for each
 * scrape; only requests are counted here. Labels never contain users, ids, or anything else that a client has chosen.
 */
import { problemCodes } from '../../contract.ts';
import type { AnsweredRequest } from '../../core/http/request-bindings.ts';
import { createHistogram, observe, type Histogram } from '../../core/histogram.ts';
import type { Measurements } from '../../core/measurements.ts';
import { createProcessMetrics } from './process-metrics.ts';
import { textOf, type Labels, type Metric } from './text-format.ts';

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** The ways to sign in, by the paths of their routes. */
const signInWays: Record<string, string> = {
  '/auth/sign-in/username': 'password',
  '/auth/sign-in/passkey': 'passkey',
  '/auth/second-factor': 'second_factor',
  '/auth/recover': 'code',
};
const outcomes = ['succeeded', 'wrong', 'refused', 'failed'] as const;
/** Rates, quotas and origins. */
const isRefusal = (code: string) => /^(rate\.exceeded|key\.throttled|origin\.refused)$|\.too_many/.test(code);

export function createMetrics({ version }: { version: string }) {
  /** By operation, method and status. To build one key for each request would cost more. */
  const requests = new Map<string, Map<string, Histogram[]>>();
  const refused = new Map<string, number>(
    Object.keys(problemCodes)
      .filter(isRefusal)
      .map((code) => [code, 0]),
  );
  const signIns = new Map(Object.values(signInWays).map((way) => [way, newOutcomes()]));
  const processMetrics = createProcessMetrics();

  function histogramOf(operation: string, method: string, status: number): Histogram {
    let ofOperation = requests.get(operation);
    if (!ofOperation) requests.set(operation, (ofOperation = new Map()));
    let ofMethod = ofOperation.get(method);
    if (!ofMethod) ofOperation.set(method, (ofMethod = []));
    return (ofMethod[status] ??= createHistogram());
  }

  function* requestSeries(): Iterable<[Labels, Histogram]> {
    for (const [operation, ofOperation] of requests) {
      for (const [method, ofMethod] of ofOperation) {
        for (const [status, histogram] of Object.entries(ofMethod)) yield [{ operation, method, status }, histogram];
      }
    }
  }

  /** What only requests change. */
  const requestMetrics = (): Metric[] => [
    gauge('build_info', 'Always 1; its label is the version.', [[{ version }, 1]]),
    {
      name: 'swarmdeck_http_request_duration_seconds',
      type: 'histogram',
      help: 'Until the response begins. "other": a path without a route, or refused before it was routed.',
      series: [...requestSeries()],
    },
    counter('refused_total', 'Requests that were refused by a rate, a quota or their origin.', by('code', refused)),
    counter(
      'sign_ins_total',
      '"second_factor": the step after a password or a provider. "code": a new password by a recovery code. "wrong": name, password, passkey or code. "refused": by a rate, or not a valid request. "failed": by the server.',
      [...signIns].flatMap(([way, counts]) =>
        outcomes.map((outcome): [Labels, number] => [{ way, outcome }, counts[outcome]]),
      ),
    ),
  ];

  return {
    /** Counts a request whose response begins. */
    count({ operation, method, status, ms, code }: AnsweredRequest): void {
      observe(histogramOf(operation, methods.has(method) ? method : 'other', status), ms / 1000);
      if (code !== undefined && refused.has(code)) refused.set(code, refused.get(code)! + 1);
      const signIn = signIns.get(signInWays[operation] ?? '');
      if (signIn && method === 'POST') signIn[outcomeOf(status)] += 1;
    },
    text: (measured: Measurements): string =>
      [...requestMetrics(), ...measuredMetrics(measured), ...processMetrics()].map(textOf).join(''),
  };
}

/** What the modules have measured. */
const measuredMetrics = (measured: Measurements): Metric[] => [
  ...storageMetrics(measured),
  ...queueMetrics(measured),
  ...connectionMetrics(measured),
  ...deliveryMetrics(measured),
  ...operationMetrics(measured),
];

const storageMetrics = ({ feed, commits, messageBytes, values }: Measurements): Metric[] => [
  histogram('commit_writes', 'Writes of a commit.', [[{}, commits.writes]]),
  histogram('commit_wait_seconds', 'How long a commit took, for which its writes waited.', [[{}, commits.seconds]]),
  counter('commits_failed_total', 'Commits of which nothing was stored.', by('kind', commits.failed)),
  gauge('feed_entry', 'The newest entry of the feed that this process has read.', feed ? [[{}, feed.entry]] : []),
  gauge('feed_lag_entries', 'Entries that it has not read.', feed ? [[{}, feed.lag]] : []),
  gauge('message_bytes', 'Of the messages of all users.', messageBytes === undefined ? [] : [[{}, messageBytes]]),
  gauge(
    'values_behind',
    'Rows of messages that were not read for their values yet.',
    values ? [[{}, values.behind]] : [],
  ),
  counter(
    'values_missed_total',
    'Messages that were deleted before their values were kept.',
    values ? [[{}, values.missed]] : [],
  ),
];

function queueMetrics({ queues, index }: Measurements): Metric[] {
  const running = Object.entries(queues).flatMap(([queue, measured]) => (measured ? [{ queue, ...measured }] : []));
  return [
    gauge(
      'queue_waiting',
      'Jobs that wait for their turn.',
      running.map(({ queue, waiting }) => [{ queue }, waiting]),
    ),
    histogram(
      'queue_wait_seconds',
      'How long a job waited for its turn. Long work has many.',
      running.map(({ queue, waits }) => [{ queue }, waits]),
    ),
    gauge('index_bytes', 'Memory of the viewed audiences.', index ? [[{}, index.bytes]] : []),
    gauge('index_audiences', 'Audiences in memory.', index ? [[{}, index.audiences]] : []),
  ];
}

const connectionMetrics = ({ streams, receiversWaiting, gauges, paced, unsent }: Measurements): Metric[] => [
  gauge('streams', 'Open event streams, by what they were opened with.', by('way', streams.open)),
  counter('streams_ended_total', 'Event streams that have ended.', by('reason', streams.ended)),
  gauge('receivers_waiting', 'Receivers of messages whose users have spent their deliveries.', [
    [{}, receiversWaiting],
  ]),
  ...gauges.map(({ name, help, value }) => gauge(name, help, [[{}, value]])),
  counter('paced_responses_total', 'Refusals, and responses beyond the rate `anonymous`, that were sent later.', [
    [{}, paced],
  ]),
  gauge('unsent_bytes', 'Bytes of responses that clients have not read.', [[{}, unsent]]),
];

const deliveryMetrics = ({ notices, mails }: Measurements): Metric[] => [
  gauge('presence_unwritten', 'Devices that were heard since the last write.', [[{}, notices.unwritten]]),
  gauge('presence_round_age_seconds', 'Since devices that are due were last looked for.', [
    [{}, notices.roundAgeMs / 1000],
  ]),
  gauge(
    'mails_waiting',
    'Links and notices that wait for a mail, of all processes.',
    mails.waiting === undefined ? [] : [[{}, mails.waiting]],
  ),
  counter('mails_total', '"dropped": too many have waited, or for too long.', by('outcome', mails.counts)),
];

const operationMetrics = ({ threadRestarts, backup }: Measurements): Metric[] => [
  counter('thread_restarts_total', 'Threads that ended by themselves.', by('thread', threadRestarts)),
  gauge(
    'backup_age_seconds',
    'Since the last regular backup was begun.',
    backup?.ageMs === undefined ? [] : [[{}, backup.ageMs / 1000]],
  ),
  gauge(
    'backup_failed',
    '1 if the last attempt of a regular backup failed.',
    backup ? [[{}, Number(backup.hasFailed)]] : [],
  ),
];

const newOutcomes = () => ({ succeeded: 0, wrong: 0, refused: 0, failed: 0 });

function outcomeOf(status: number): (typeof outcomes)[number] {
  if (status < 400) return 'succeeded';
  return status === 401 ? 'wrong' : status < 500 ? 'refused' : 'failed';
}

const metricOf = (type: Metric['type']) => (name: string, help: string, series: Metric['series']) => ({
  name: `swarmdeck_${name}`,
  type,
  help,
  series,
});
const counter = metricOf('counter');
const gauge = metricOf('gauge');
const histogram = metricOf('histogram');

/** One series for each entry, with the entry's name as this label. */
function by(label: string, counts: Record<string, number> | Map<string, number>): Metric['series'] {
  const entries = counts instanceof Map ? [...counts] : Object.entries(counts);
  return entries.map(([name, count]) => [{ [label]: name }, count]);
}
