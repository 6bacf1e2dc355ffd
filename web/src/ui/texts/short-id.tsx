/** An id without its middle, to tell apart what has the same name. Pointing at it shows all of it. */
export function ShortId({ id }: { id: string }) {
  return (
    <code dir="ltr" title={id}>
      {id.slice(0, 8)}…{id.slice(-4)}
    </code>
  );
}
