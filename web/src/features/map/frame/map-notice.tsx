/** A message of the map at the top of its free part, with an action. */
export function MapNotice({
  text,
  action,
  onAction,
}: {
  text: string;
  action?: string | undefined;
  onAction?: (() => void) | undefined;
}) {
  return (
    <output className="map-notice">
      {text}
      {action && (
        <button type="button" className="map-notice-action" onClick={onAction}>
          {action}
        </button>
      )}
    </output>
  );
}
