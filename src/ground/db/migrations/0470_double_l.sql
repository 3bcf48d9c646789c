-- Catalan writes a double l with a dot between (col·legi). The words of such a name were only those beside the dot: collegi, as many write it,
-- did not find it. Now the whole word is one of them too.

-- A folded text without the dots of double l, also where the dot is a full stop or Unicode's l with a dot. Within words alone: S.L.L. stays.
CREATE FUNCTION double_l(given text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  regexp_replace(given, '(?<=[a-z])(l[.·]|ŀ)l(?=[a-z])', 'll', 'g');

-- Computed for each invoice that is issued: the name is folded once, and split once unless it has a double l.
CREATE OR REPLACE FUNCTION name_words(environment_id integer, name text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  array_to_tsvector(ARRAY(SELECT environment_id || ' ' || word
                            FROM (SELECT folded(name) AS text OFFSET 0) AS given,
                                 regexp_split_to_table(CASE double_l(text) WHEN text THEN text ELSE text || ' ' || double_l(text) END,
                                   '[\u0001-\u002f\u003a-\u0060\u007b-\u00bf\u2000-\u206f]+') AS word
                           WHERE word <> ''));

REINDEX INDEX recipient_name_words;
