/** Of this feature alone: the icons of ui/icon.tsx come with the first page. */
export function SendIcon() {
  return (
    <svg className="icon" width="18" height="18" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M20.5 3.5 10.5 13.5M20.5 3.5 14 20.5l-3.5-7-7-3.5z" />
    </svg>
  );
}
