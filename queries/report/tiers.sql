-- id: tiers
-- title: How sure the calls are
-- why: an attribution is worth what its evidence is worth

SELECT tier, count(*) AS n
FROM elicitations
WHERE kind = 'elicitation'
GROUP BY tier
