/** The fields of a swarm: how they are merged and checked. */
import type { SwarmItem } from '@swarmdeck/bff/contract';
import { limits } from '@swarmdeck/bff/field-rules';
import { createMerge } from '../../data/forms/merge-fields.ts';
import { ProblemError } from '../../data/problem.ts';
import { nameError, textError } from '../../data/text-errors.ts';
import { t } from '../../text/text.ts';

export type SwarmValues = Pick<SwarmItem, 'name' | 'description' | 'public' | 'listed' | 'accepts_requests'> & {
  /** The interval of members that have none of their own, in seconds. */
  expected_every: number | null;
};
export type SwarmField = keyof SwarmValues;
export type SwarmErrors = Partial<Record<SwarmField, string>>;

export const swarmMerge = createMerge<SwarmValues>({
  name: {},
  description: {},
  public: {},
  listed: {},
  accepts_requests: {},
  expected_every: {},
});
export const emptySwarm: SwarmValues = {
  name: '',
  description: '',
  public: false,
  listed: false,
  accepts_requests: true,
  expected_every: null,
};

/** In the service's record, `listed` is only there if it is true, and `accepts_requests` if it is false. */
export function valuesOf(
  swarm: Pick<SwarmValues, 'name' | 'description' | 'public'> &
    Partial<Record<'listed' | 'accepts_requests', boolean | undefined>> & {
      expected_every?: number | null | undefined;
    },
): SwarmValues {
  const { name, description, public: isPublic, listed = false, accepts_requests = true, expected_every = null } = swarm;
  return { name, description, public: isPublic, listed, accepts_requests, expected_every };
}

/** What is saved. If the swarm is not public, the server ends its listing, and switching it on again changes nothing. */
export const savedValues = ({ base, draft }: Record<'base' | 'draft', SwarmValues>): SwarmValues =>
  draft.public ? draft : { ...draft, listed: base.listed };

/** Removes spaces around the name. */
export const tidied = (values: SwarmValues): SwarmValues => ({ ...values, name: values.name.trim() });

export function checkSwarm({ name, description }: SwarmValues): SwarmErrors {
  const found = {
    name: nameError(name, limits.nameLength),
    description: textError(description, limits.descriptionLength),
  };
  return Object.fromEntries(Object.entries(found).filter(([, error]) => error !== undefined));
}

/** The fields that the server has rejected. */
export function errorsOf(error: Error | null): SwarmErrors {
  const errors = (error instanceof ProblemError && error.problem.errors) || [];
  const rejected = swarmMerge.fields.filter((field) => errors.some(({ pointer }) => pointer === `/${field}`));
  return Object.fromEntries(rejected.map((field) => [field, t.problems['body.invalid']]));
}
