import { Link } from '../../ui/router.tsx';
import { Button } from '../../ui/button.tsx';
import { Rich } from '../../ui/rich.tsx';
import { words } from './device-words.ts';
import './first-run.css';

/** Nothing yet: what to do first, and how devices come in by themselves. */
export function FirstRun({ onAdd }: { onAdd(): void }) {
  const first = words.first;
  return (
    <section className="first-run">
      <h1>{first.title}</h1>
      <p>{first.text}</p>
      <Button look="primary" icon="plus" onClick={onAdd}>
        {first.add}
      </Button>
      <div className="first-run-else">
        <h2>{first.by_key_title}</h2>
        <p>
          <Rich text={first.by_key} link={<Link to="/account">{first.by_key_link}</Link>} />
        </p>
        <p>
          <Rich text={first.many} command={<code dir="ltr">npm run --silent swarmdeck -- import</code>} />
        </p>
      </div>
    </section>
  );
}
