-- The key that the setup made is its admin's own. Of every other key it is not known who made it.
UPDATE api_keys SET self_made = 1 WHERE created_at =
  (SELECT accounts.created_at FROM accounts WHERE accounts.id = api_keys.account_id);
--> statement-breakpoint
-- What was written down while the person was a member of this one account only, that account wrote down.
UPDATE user_emails SET account_id = (SELECT max(account_users.account_id) FROM account_users
    WHERE account_users.user_id = user_emails.user_id
    HAVING count(*) = 1 AND max(account_users.created_at) <= user_emails.created_at)
  WHERE verified_at IS NULL;
--> statement-breakpoint
UPDATE user_phones SET account_id = (SELECT max(account_users.account_id) FROM account_users
    WHERE account_users.user_id = user_phones.user_id
    HAVING count(*) = 1 AND max(account_users.created_at) <= user_phones.created_at);
--> statement-breakpoint
-- A number that several accounts page already stays one that they page.
UPDATE user_phones SET confirmed_by_self = 1 WHERE confirmed_at IS NOT NULL AND account_id IS NULL
  AND (SELECT count(*) FROM account_users WHERE account_users.user_id = user_phones.user_id) > 1;
--> statement-breakpoint
-- What only an account wrote down goes with the membership.
CREATE TRIGGER account_users_contacts_down AFTER DELETE ON account_users BEGIN
  DELETE FROM user_emails WHERE user_id = OLD.user_id AND account_id = OLD.account_id AND verified_at IS NULL;
  DELETE FROM user_phones WHERE user_id = OLD.user_id AND account_id = OLD.account_id
    AND NOT (confirmed_at IS NOT NULL AND confirmed_by_self);
END;
