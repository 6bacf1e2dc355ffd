import { useEffect, useEffectEvent } from 'react';
import { useLocation, useNavigate } from 'react-router';

/**
 * What another page asks of this one, once: it came with the way here, as `navigate(to, { state: { [name]: value } })`.
 * Going back or loading the page again does not ask again.
 */
export function useAsked<Value>(name: string, act: (value: Value) => void): void {
  const { search, state } = useLocation();
  const navigate = useNavigate();
  const asked = (state as Record<string, Value> | null)?.[name];
  const answer = useEffectEvent((value: Value) => {
    void navigate({ search }, { replace: true });
    act(value);
  });
  useEffect(() => {
    if (asked !== undefined) answer(asked);
  }, [asked]);
}
