/** SQL: the number of a user's newest entry in the activity log. If it was deleted, the number up to which entries were read. */
export const newestOf = (
  user: string,
) => `greatest(coalesce((SELECT max(seq) FROM activity a WHERE a.user_id = ${user}), 0),
  coalesce((SELECT d.seq FROM activity_read d WHERE d.user_id = ${user}), 0))`;
