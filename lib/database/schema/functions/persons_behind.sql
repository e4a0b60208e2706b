-- The persons behind an application: its owner, the person accountable for it, those who issued or rotated its
-- credentials, and those for whom it speaks.
create function persons_behind(of_application text, moment timestamptz) returns text[]
  language sql stable
as $$
        select array(
          select unnest(array[a.owner_uid, coalesce(a.accountable_uid, a.owner_uid)])
            from application a where a.uid = of_application
          union select issued_by_uid from credential where application_uid = of_application and revoked_at is null
          union select unnest(array[issued_by_uid, coalesce(rotated_by_uid, issued_by_uid)])
            from oauth_client where application_uid = of_application and revoked_at is null
          union select b.body ->> 'person_uid' from governed_record b where b.kind = 'binding' and b.state = 'active'
            and b.body ->> 'application_uid' = of_application and (b.body ->> 'valid_until')::timestamptz > moment
        )
      $$;
