/** RFC 9457. `code` is `noun.what_happened`; `pointer` is a JSON pointer into the request body. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  request_id: string;
  errors?: { pointer: string; code: string; detail: string }[];
}
