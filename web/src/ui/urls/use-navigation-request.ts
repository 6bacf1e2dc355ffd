import { useEffect, useEffectEvent } from 'react';
import { useLocation, useNavigate } from 'react-router';

/**
 * Runs `callback` once if another page has navigated here with `navigate(to, { state: { [name]: value } })`. Back and a
 * reload do not run it again.
 */
export function useNavigationRequest<Value>(name: string, callback: (value: Value) => void): void {
  const { search, state } = useLocation();
  const navigate = useNavigate();
  const requested = (state as Record<string, Value> | null)?.[name];
  const answer = useEffectEvent((value: Value) => {
    void navigate({ search }, { replace: true });
    callback(value);
  });
  useEffect(() => {
    if (requested !== undefined) answer(requested);
  }, [requested]);
}
