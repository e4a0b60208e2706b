-- Who could have opened a session in place of its person: the person who issued its sign-in link, or who linked its
-- identity. That person does not confirm a passkey that was added in the session.

alter table console_link add column issued_by_uid text references person;
-- A session by a passkey that nobody confirmed has the issuer of the link behind that passkey.
alter table console_session add column link_issued_by_uid text references person;
alter table console_session add column identity_uid text references person_identity;
alter table passkey add column link_issued_by_uid text references person;

create function check_passkey_confirmer() returns trigger
  language plpgsql
as $$
      begin
        if new.confirmed_by_uid = new.link_issued_by_uid or exists (select from person_identity i
          where i.person_uid = new.person_uid and i.linked_by_uid = new.confirmed_by_uid)
        then
          raise exception 'a person who can sign in as the person confirms no passkey'
            using errcode = 'integrity_constraint_violation';
        end if;
        return new;
      end $$;
create trigger confirmer before update on passkey
  for each row when (old.state = 'registered' and new.state = 'confirmed') execute function check_passkey_confirmer();
