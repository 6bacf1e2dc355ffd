import { useQuery } from '@tanstack/react-query';
import { problemSentence } from '../../../text/text.ts';
import { ErrorNote } from '../../../ui/fields/form-error.tsx';
import { signInOptionsQuery } from '../sign-in.api.ts';

/** Why a sign-in by a provider has failed. The server names both in the URL. */
export function ProviderRefusal({ code, provider }: { code: string | null; provider: string | null }) {
  const label = useQuery(signInOptionsQuery).data?.providers.find(({ name }) => name === provider)?.label;
  if (code === null) return null;
  const sentence = problemSentence({ code });
  return <ErrorNote>{label ? `${label}: ${sentence}` : sentence}</ErrorNote>;
}
