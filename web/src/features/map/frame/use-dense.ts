import { useSearchParams } from '../../../ui/router.tsx';

/** Whether every device is drawn as a dot: `dots=1` of the URL. */
export function useDense(): [boolean, (dense: boolean) => void] {
  const [params, setParams] = useSearchParams();
  const setDense = (dense: boolean) => {
    const next = new URLSearchParams(location.search);
    if (dense) next.set('dots', '1');
    else next.delete('dots');
    setParams(next, { replace: true });
  };
  return [params.get('dots') === '1', setDense];
}
